import { beforeEach, describe, expect, test } from 'vitest'
import { getDocument } from '../../../core/content/documents/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import {
  eventsOf,
  grant,
  NOBODY,
  READER,
  refused,
  setAces,
  WORKSPACES,
  WRITER,
} from '../support/collaboration-support.js'
import { createCollectionBench } from '../support/collections-support.js'
import { ADMINISTRATOR, documentOf, idsOf, input, inputs } from '../support/operations-support.js'

const bench = await createCollectionBench()
const { run, platform, membersOf, marksOf, enriched } = bench

let folder: DocumentRecord
let collection: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  ;({ folder, collection, file, note } = await bench.documents())
})

const add = (document: DocumentRecord, as = ADMINISTRATOR, into = collection.id) =>
  bench.add(document, as, into)
const remove = (document: DocumentRecord, as = ADMINISTRATOR) => bench.remove(document, as, collection.id)

describe('Collection.Create', () => {
  test.each(['Collection.Create', 'Collection.CreateCollection', 'CreateACollection'])(
    '%s makes a collection in the input folder',
    async (operation) => {
      const made = documentOf(
        await run(operation, {
          input: input(folder),
          params: { name: 'Summer', description: 'All of it' },
          as: WRITER,
        }),
      )
      expect(made).toMatchObject({
        type: 'Collection',
        parentId: folder.id,
        name: 'Summer',
        properties: { 'dc:title': 'Summer', 'dc:description': 'All of it', 'dc:creator': 'will' },
      })
    },
  )

  test('without input makes it in the workspace of the caller', async () => {
    const made = documentOf(await run('Collection.Create', { params: { name: 'Own' }, as: READER }))
    expect(made.path).toBe('/default-domain/UserWorkspaces/rita/Collections/Own')
    expect(made.properties['dc:description']).toBeUndefined()
  })

  test.each([
    ['a reader of the folder', { name: 'x' }, READER, 'forbidden', /AddChildren/],
    ['who may not see it', { name: 'x' }, NOBODY, 'notFound', /./],
    ['a blank name', { name: ' ' }, WRITER, 'badRequest', /name/],
    ['no name', {}, WRITER, 'badRequest', /name/],
  ] as const)('is refused to %s', async (_whom, params, as, code, message) => {
    await expect(run('Collection.Create', { input: input(folder), params, as })).rejects.toEqual(
      refused(code, message),
    )
  })
})

describe('Document.AddToCollection', () => {
  test('puts documents at the end, once, and marks them', async () => {
    await add(file)
    await run('AddToCollection', {
      input: inputs(note, file),
      params: { collection: collection.path as string },
    })
    await run('Collection.AddToCollection', { input: input(note), params: { collection: collection.id } })
    expect(await membersOf(collection)).toEqual([file.id, note.id])
    expect(await marksOf(file)).toEqual([collection.id])
    expect((await bench.read(note.id)).facets).toContain('CollectionMember')
    expect((await enriched(note)).collections).toMatchObject([
      { 'entity-type': 'document', uid: collection.id },
    ])
  })

  test('answers with the documents as they are then', async () => {
    const { facets } = documentOf(await add(file))
    expect(facets).toContain('CollectionMember')
    const list = await run('Document.AddToCollection', {
      input: inputs(note, file),
      params: { collection: collection.id },
    })
    expect(idsOf(list)).toEqual([note.id, file.id])
  })

  test('leaves version, dates and changeToken of the member alone, and writes to the outbox', async () => {
    const before = await platform.withSession(
      ADMINISTRATOR,
      async (session) => (await checkIn(session, file, { increment: 'MAJOR' })).document,
    )
    await add(file, WRITER)
    await add(file, WRITER)
    const after = await bench.read(file.id)
    expect([after.isCheckedIn, after.userToken, after.properties['dc:modified']]).toEqual([
      true,
      before.userToken,
      before.properties['dc:modified'],
    ])
    const events = (await eventsOf(platform, file.id)).slice(-2)
    expect(events).toMatchObject([
      { event: 'documentCheckedIn' },
      { event: 'addedToCollection', principal: 'will', payload: { collectionRef: collection.id } },
    ])
    expect((await bench.read(collection.id)).properties['dc:lastContributor']).toBe('will')
  })

  test('needs no right on the member but to read it', async () => {
    await setAces(platform, file.id, [
      grant('will', 'Read'),
      { username: 'Everyone', permission: 'Everything', granted: false },
    ])
    await add(file, WRITER)
    expect(await membersOf(collection)).toEqual([file.id])
  })

  test.each([
    ['a reader of the collection', () => add(file, READER), 'forbidden', /WriteProperties/],
    ['who may not see the member', () => add(file, NOBODY), 'notFound', /./],
    ['an unknown collection', () => add(file, ADMINISTRATOR, '/no/such'), 'notFound', /\/no\/such/],
    [
      'what is no collection',
      () => add(file, ADMINISTRATOR, note.id),
      'badRequest',
      /is a Note, not a collection/,
    ],
    ['the collection itself', () => add(collection), 'badRequest', /in itself/],
  ] as const)('is refused to %s', async (_whom, attempt, code, message) => {
    await expect(attempt()).rejects.toEqual(refused(code, message))
    expect(await membersOf(collection)).toEqual([])
    expect(await marksOf(file)).toBeUndefined()
  })

  test('is refused for types that no collection may hold, whole', async () => {
    const root = await bench.read(WORKSPACES)
    await expect(
      run('Document.AddToCollection', { input: inputs(file, root), params: { collection: collection.id } }),
    ).rejects.toEqual(refused('badRequest', /WorkspaceRoot cannot be in a collection/))
    expect(await membersOf(collection)).toEqual([])
  })

  test('loses nothing when many add at once', async () => {
    const files = await Promise.all(
      Array.from({ length: 10 }, (_, index) => bench.create(folder.id, 'File', `f${index}`)),
    )
    await Promise.all(files.map((document) => add(document, WRITER)))
    expect((await membersOf(collection)).sort()).toEqual(files.map(({ id }) => id).sort())
  })

  test('puts one document into many collections at once', async () => {
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bench.create(folder.id, 'Collection', `c${index}`)),
    )
    await Promise.all(others.map(({ id }) => add(file, WRITER, id)))
    expect(((await marksOf(file)) as string[]).sort()).toEqual(others.map(({ id }) => id).sort())
  })
})

describe('Collection.RemoveFromCollection', () => {
  beforeEach(async () => {
    await run('Document.AddToCollection', {
      input: inputs(file, note),
      params: { collection: collection.id },
    })
  })

  test('takes documents out and the mark off', async () => {
    const other = await bench.create(folder.id, 'Collection', 'other')
    await add(file, WRITER, other.id)
    await run('RemoveFromCollection', {
      input: inputs(file, note),
      params: { collection: collection.id },
      as: WRITER,
    })
    await remove(file)
    expect(await membersOf(collection)).toEqual([])
    expect(await marksOf(file)).toEqual([other.id])
    const plain = await bench.read(note.id)
    expect([plain.facets, plain.properties['collectionMember:collectionIds']]).toEqual([[], undefined])
    expect((await eventsOf(platform, note.id)).slice(-2).map(({ event }) => event)).toEqual([
      'addedToCollection',
      'removedFromCollection',
    ])
  })

  test('is refused to readers', async () => {
    await expect(remove(file, READER)).rejects.toEqual(refused('forbidden', /WriteProperties/))
    expect(await membersOf(collection)).toEqual([file.id, note.id])
  })
})

describe('reading collections', () => {
  test.each(['Collection.GetDocumentsFromCollection', 'GetAllDocumentsFromCollection'])(
    '%s gives the visible members in order',
    async (operation) => {
      const hidden = await bench.create(folder.id, 'File', 'hidden')
      await run('Document.AddToCollection', {
        input: inputs(note, hidden, file),
        params: { collection: collection.id },
      })
      await setAces(platform, hidden.id, [{ username: 'Everyone', permission: 'Everything', granted: false }])
      expect(idsOf(await run(operation, { input: input(collection) }))).toEqual([note.id, hidden.id, file.id])
      const seen = await run(operation, { input: input(collection), as: READER })
      expect(idsOf(seen)).toEqual([note.id, file.id])
      expect(seen).toMatchObject({ page: { resultsCount: 2, pageSize: 0 } })
    },
  )

  test('is refused for what is none or is hidden', async () => {
    const operation = 'Collection.GetDocumentsFromCollection'
    await expect(run(operation, { input: input(file) })).rejects.toEqual(
      refused('badRequest', /not a collection/),
    )
    await expect(run(operation, { input: input(collection), as: NOBODY })).rejects.toEqual(
      refused('notFound', /./),
    )
  })

  test('the enricher leaves out hidden collections, those in the trash and versions', async () => {
    await add(file)
    await platform.withSession(ADMINISTRATOR, async (session) =>
      checkIn(session, await getDocument(session, collection.id), { increment: 'MINOR' }),
    )
    expect((await enriched(file, 'rita')).collections).toHaveLength(1)
    await setAces(platform, collection.id, [
      { username: 'Everyone', permission: 'Everything', granted: false },
    ])
    expect((await enriched(file, 'rita')).collections).toEqual([])
    expect((await enriched(file)).collections).toHaveLength(1)
    await platform.database.sql`UPDATE documents SET is_trashed = true WHERE id = ${collection.id}`
    expect((await enriched(file)).collections).toEqual([])
  })

  test('User.GetCollections finds them by the beginning of their title', async () => {
    const title = `Fund ${folder.name}`
    const made = await bench.create(folder.id, 'Collection', 'fund', { 'dc:title': title })
    const find = async (searchTerm: string, as = READER) =>
      idsOf(await run('User.GetCollections', { params: { searchTerm }, as }))
    expect(await find(title.slice(0, -1))).toContain(made.id)
    expect(await find(`${title}%`)).toEqual([made.id])
    expect(await find(title.toLowerCase())).toEqual([made.id])
    expect(await find(title, NOBODY)).toEqual([])
    expect(await find("no'such")).toEqual([])
  })

  test('Collection.Suggestion gives pages of them as JSON', async () => {
    for (const name of ['b', 'a', 'c'])
      await bench.create(folder.id, 'Collection', name, { 'dc:title': `Page-${folder.name} ${name}` })
    const suggest = async (params: Record<string, string | number>) => {
      const answer = await run('Collection.Suggestion', {
        params: { searchTerm: `page-${folder.name} `, ...params },
      })
      if (answer.type !== 'blob') throw new Error(answer.type)
      const chunks: Buffer[] = []
      for await (const chunk of await platform.blobs.open(answer.blob)) chunks.push(chunk as Buffer)
      return JSON.parse(Buffer.concat(chunks).toString()).map(
        ({ displayLabel }: { displayLabel: string }) => displayLabel.split(' ')[1],
      )
    }
    expect(await suggest({})).toEqual(['a', 'b', 'c'])
    expect(await suggest({ pageSize: 2, currentPageIndex: 1 })).toEqual(['c'])
    await expect(suggest({ pageSize: -1 })).rejects.toEqual(refused('badRequest', /pageSize/))
  })
})

describe('Document.MoveCollectionMember', () => {
  let third: DocumentRecord
  beforeEach(async () => {
    third = await bench.create(folder.id, 'File', 'third')
    await run('Document.AddToCollection', {
      input: inputs(file, note, third),
      params: { collection: collection.id },
    })
  })
  const move = (member1: DocumentRecord, member2?: DocumentRecord, as = WRITER) =>
    run('Document.MoveCollectionMember', {
      input: input(collection),
      params: { member1: member1.id, ...(member2 && { member2: member2.id }) },
      as,
    })

  test('puts a member behind another one, or first', async () => {
    await move(file, note)
    expect(await membersOf(collection)).toEqual([note.id, file.id, third.id])
    await move(third)
    expect(await membersOf(collection)).toEqual([third.id, note.id, file.id])
    await move(third, third)
    expect(await membersOf(collection)).toEqual([third.id, note.id, file.id])
  })

  test('is refused for strangers to the collection and readers', async () => {
    await expect(move(folder, note)).rejects.toEqual(refused('badRequest', /member1/))
    await expect(move(note, folder)).rejects.toEqual(refused('badRequest', /member2/))
    await expect(move(note, file, READER)).rejects.toEqual(refused('forbidden', /WriteProperties/))
  })
})
