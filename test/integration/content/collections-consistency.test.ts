import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { getDocument, removeDocument } from '../../../core/content/documents/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createCollections } from '../../../storage/postgres/documents/collections.js'
import { connectionOf, inSavepoint } from '../../../storage/postgres/index.js'
import { NOBODY, OWNER, READER, refused, setAces, WRITER } from '../support/collaboration-support.js'
import { createCollectionBench } from '../support/collections-support.js'
import { ADMINISTRATOR, documentOf, idsOf, input, inputs } from '../support/operations-support.js'
import { addUser } from '../support/rest-client.js'

const bench = await createCollectionBench()
const { run, call, platform, membersOf, marksOf, enriched } = bench

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

describe('both sides stay right', () => {
  beforeEach(async () => {
    await run('Document.AddToCollection', {
      input: inputs(file, note),
      params: { collection: collection.id },
    })
  })

  test('when a member is removed', async () => {
    await run('Document.Delete', { input: input(file), as: OWNER })
    expect(await membersOf(collection)).toEqual([note.id])
  })

  test('when a member is removed, however others have made long lists of it', async () => {
    const leave = (leavingMs: number) =>
      platform.database.transaction((sql) =>
        createCollections(sql, { principal: ADMINISTRATOR, leavingMs }).leave(file),
      )
    const ids = Array.from({ length: 20_000 }, () => randomUUID())
    const long = await bench.create(folder.id, 'Collection', 'long', {
      'collection:documentIds': [...ids, file.id],
    })
    await leave(1)
    expect(await membersOf(long)).toContain(file.id)
    // The time is that of the whole transaction.
    await platform.database.transaction(async (sql) => {
      const collections = createCollections(sql, { principal: ADMINISTRATOR, leavingMs: 1 })
      for (const document of [file, note]) await collections.leave(document)
    })
    expect([await membersOf(long), await membersOf(collection)]).toEqual([
      [...ids, file.id],
      [file.id, note.id],
    ])
    await leave(10_000)
    expect(await membersOf(long)).toEqual(ids)
    await run('Document.Delete', { input: input(note), as: OWNER })
    expect(await membersOf(collection)).toEqual([])
  })

  test('when the time on long lists is over, the transaction goes on, also while it is watched', async () => {
    const goesOn = platform.units.transaction(OWNER, async ({ session }) => {
      const sql = connectionOf(session.stores)
      const late = inSavepoint(sql, async (inner) => {
        await inner`SELECT set_config('statement_timeout', '2500', true)`
        await inner`SELECT pg_sleep(10)`
      })
      await expect(late).rejects.toThrow('statement timeout')
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return (await session.stores.documents.get(file.id))?.id
    })
    expect(await goesOn).toBe(file.id)
  })

  test('when a folder of members is removed', async () => {
    const inner = await bench.create(folder.id, 'Folder', 'inner')
    const deep = await bench.create(inner.id, 'File', 'deep')
    await add(deep)
    await run('Document.Delete', { input: input(inner) })
    expect(await membersOf(collection)).toEqual([file.id, note.id])
  })

  test('when a collection is copied by whom it names documents that he may not browse', async () => {
    const secret = await bench.create(folder.id, 'Note', 'secret')
    const closed = [{ username: 'Everyone', permission: 'Everything', granted: false }]
    await setAces(platform, secret.id, closed)
    const forged = await bench.create(folder.id, 'Collection', 'forged', {
      'collection:documentIds': [secret.id, file.id],
    })
    const { id } = documentOf(
      await run('Document.Copy', {
        input: input(forged),
        params: { target: folder.path!, name: 'copied' },
        as: OWNER,
      }),
    )
    expect(await marksOf(file)).toContain(id)
    expect(await marksOf(secret)).toBeUndefined()
  })

  test('when a collection is removed', async () => {
    const other = await bench.create(folder.id, 'Collection', 'other')
    await add(note, ADMINISTRATOR, other.id)
    await run('Document.Delete', { input: input(collection) })
    const plain = await bench.read(file.id)
    expect([plain.facets, plain.properties['collectionMember:collectionIds']]).toEqual([[], undefined])
    expect(await marksOf(note)).toEqual([other.id])
    expect((await enriched(note)).collections.map(({ uid }: { uid: string }) => uid)).toEqual([other.id])
  })

  test('when ids that are none stand among the members', async () => {
    await call('PUT', `/api/v1/id/${collection.id}`, {
      json: {
        'entity-type': 'document',
        properties: { 'collection:documentIds': ['nothing', file.id, '0', '-'.repeat(36)] },
      },
    })
    expect(idsOf(await run('Collection.GetDocumentsFromCollection', { input: input(collection) }))).toEqual([
      file.id,
    ])
    await run('Document.Copy', { input: input(collection), params: { target: folder.id, name: 'odd' } })
    await run('Document.Delete', { input: input(collection) })
    expect(await marksOf(file)).toHaveLength(1)
  })

  test('when a collection is copied: its members are in both', async () => {
    const copy = documentOf(
      await run('Document.Copy', { input: input(collection), params: { target: folder.id, name: 'copy' } }),
    )
    expect(await membersOf(copy)).toEqual([file.id, note.id])
    expect(await marksOf(file)).toEqual([collection.id, copy.id])
    expect((await enriched(file)).collections).toHaveLength(2)
  })

  test('when an older version of a member is restored', async () => {
    const { version } = await platform.withSession(ADMINISTRATOR, async (session) =>
      checkIn(session, await getDocument(session, file.id), { increment: 'MINOR' }),
    )
    expect(version.facets).toEqual([])
    expect(version.properties['collectionMember:collectionIds']).toBeUndefined()
    const other = await bench.create(folder.id, 'Collection', 'other')
    await add(file, ADMINISTRATOR, other.id)
    await remove(file)
    await run('Document.RestoreVersion', { input: input(version) })
    expect(await marksOf(file)).toEqual([other.id])
    expect((await bench.read(file.id)).facets).toContain('CollectionMember')
  })

  test('when a version that is a member is removed', async () => {
    const { version } = await platform.withSession(ADMINISTRATOR, async (session) =>
      checkIn(session, await getDocument(session, note.id), { increment: 'MINOR' }),
    )
    await add(version)
    expect(await membersOf(collection)).toEqual([file.id, note.id, version.id])
    await run('Document.Update', { input: input(note), params: { properties: 'dc:title=newer' } })
    await run('Document.Delete', { input: input(version) })
    expect(await membersOf(collection)).toEqual([file.id, note.id])
  })

  test('when clients write the list of members themselves', async () => {
    const third = await bench.create(folder.id, 'File', 'third')
    const json = { 'entity-type': 'document', properties: { 'collection:documentIds': [third.id] } }
    expect((await call('PUT', `/api/v1/id/${collection.id}`, { json })).status).toBe(200)
    expect((await enriched(third)).collections).toHaveLength(1)
    expect((await enriched(file)).collections).toEqual([])
  })

  test('when a member is copied: its copy is in none', async () => {
    const copy = documentOf(
      await run('Document.Copy', { input: input(file), params: { target: folder.id, name: 'copy' } }),
    )
    const plain = await bench.read(copy.id)
    expect([plain.facets, plain.properties['collectionMember:collectionIds']]).toEqual([[], undefined])
    expect(await membersOf(collection)).toEqual([file.id, note.id])
  })

  test('when members are removed while others are added', async () => {
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, index) => bench.create(folder.id, 'File', `f${index}`)),
    )
    const [leaving, coming] = [files.slice(0, 3), files.slice(3)]
    for (const document of leaving) await add(document)
    await Promise.all([
      ...coming.map((document) => add(document)),
      ...leaving.map(({ id }) =>
        platform.withSession(ADMINISTRATOR, async (session) =>
          removeDocument(session, await getDocument(session, id)),
        ),
      ),
    ])
    expect((await membersOf(collection)).sort()).toEqual([file, note, ...coming].map(({ id }) => id).sort())
  })
})

describe('proxies', () => {
  test('are members by themselves, whatever they show', async () => {
    const section = await bench.section()
    const proxy = documentOf(
      await run('Document.PublishToSection', { input: input(file), params: { target: section.id } }),
    )
    await add(proxy, WRITER)
    await run('Document.AddToFavorites', { input: input(proxy), as: READER })
    expect(await membersOf(collection)).toEqual([proxy.id])
    expect((await enriched(proxy)).collections.map(({ uid }: { uid: string }) => uid)).toContain(
      collection.id,
    )
    expect((await enriched(file)).collections).toEqual([])
    expect((await enriched(proxy, 'rita')).favorites).toEqual({ isFavorite: true })
    await run('Document.Delete', { input: input(proxy) })
    expect(await membersOf(collection)).toEqual([])
  })
})

describe('favourites', () => {
  test('belong to each user alone', async () => {
    await run('Document.AddToFavorites', { input: inputs(file, note), as: READER })
    await run('Collection.AddToFavorites', { input: input(note), as: WRITER })
    const favorites = documentOf(await run('Favorite.Fetch', { as: READER }))
    expect(favorites).toMatchObject({
      type: 'Favorites',
      path: '/default-domain/UserWorkspaces/rita/Favorites',
    })
    expect((await enriched(file, 'rita')).favorites).toEqual({ isFavorite: true })
    expect((await enriched(file)).favorites).toEqual({ isFavorite: false })
    expect(idsOf(await run('Favorite.GetDocuments', { input: input(favorites), as: READER }))).toEqual([
      file.id,
      note.id,
    ])
    expect(idsOf(await run('Collection.GetElementsInFavorite', { as: WRITER }))).toContain(note.id)
    await run('Document.RemoveFromFavorites', { input: input(file), as: READER })
    await run('Collection.RemoveFromFavorites', { input: inputs(file, note), as: READER })
    expect((await enriched(note, 'rita')).favorites).toEqual({ isFavorite: false })
    expect((await bench.read(note.id)).facets).toContain('CollectionMember')
  })

  test('of somebody else are hidden', async () => {
    const favorites = documentOf(await run('Favorite.Fetch', { as: WRITER }))
    await run('Document.AddToFavorites', { input: input(file), as: WRITER })
    expect((await call('GET', `/api/v1/id/${favorites.id}`, { user: 'rita' })).status).toBe(404)
    expect((await enriched(file, 'rita')).collections).toEqual([])
    await expect(run('Favorite.GetDocuments', { input: input(favorites), as: READER })).rejects.toEqual(
      refused('notFound', /./),
    )
  })

  test('are looked for without making any', async () => {
    await addUser(platform, 'fresh')
    await add(file)
    expect((await enriched(file, 'fresh')).favorites).toEqual({ isFavorite: false })
    expect(
      await platform.readSession(ADMINISTRATOR).stores.documents.get('/default-domain/UserWorkspaces/fresh'),
    ).toBeUndefined()
  })

  test('are made once, however many ask', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => run('Favorite.Fetch', { as: OWNER })))
    expect(new Set(made.map((value) => documentOf(value).id)).size).toBe(1)
  })

  test('cannot be members themselves, and hidden documents cannot be favourites', async () => {
    const favorites = documentOf(await run('Favorite.Fetch', { as: READER }))
    await expect(run('Document.AddToFavorites', { input: input(favorites), as: READER })).rejects.toEqual(
      refused('badRequest', /in itself|cannot be in a collection/),
    )
    await expect(run('Document.AddToFavorites', { input: input(file), as: NOBODY })).rejects.toEqual(
      refused('notFound', /./),
    )
  })
})

describe('ids of documents that the caller may not see', () => {
  const CLOSED = [{ username: 'Everyone', permission: 'Everything', granted: false }]
  const propertiesFor = async (document: { id: string }, user: string) =>
    (await call('GET', `/api/v1/id/${document.id}`, { user, headers: { properties: '*' } })).json.properties

  test('are neither among the members nor among the collections', async () => {
    const other = await bench.create(folder.id, 'Collection', 'other')
    await add(file)
    await add(note)
    await add(note, ADMINISTRATOR, other.id)
    for (const { id } of [file, other]) await setAces(platform, id, CLOSED)
    for (const [user, members, collections] of [
      ['Administrator', [file.id, note.id], [collection.id, other.id]],
      ['rita', [note.id], [collection.id]],
    ] as const) {
      expect((await propertiesFor(collection, user))['collection:documentIds']).toEqual(members)
      expect((await propertiesFor(note, user))['collectionMember:collectionIds']).toEqual(collections)
    }
  })

  test('are asked about without reading those documents, however large they are', async () => {
    const heavy = await Promise.all(
      Array.from({ length: 6 }, (_, index) => bench.create(folder.id, 'Collection', `heavy-${index}`)),
    )
    for (const { id } of heavy) {
      await add(note, ADMINISTRATOR, id)
      await platform.database.sql`
        UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
        WHERE id = ${id}`
    }
    const shown = await call('GET', `/api/v1/id/${note.id}`, { user: 'rita', headers: { properties: '*' } })
    expect([shown.status, shown.json.message]).toEqual([200, undefined])
    expect(shown.json.properties['collectionMember:collectionIds']).toHaveLength(heavy.length)
    const { sql } = platform.database
    await sql`UPDATE documents SET properties = properties - 'dc:source' WHERE id = ANY (${heavy.map(({ id }) => id)})`
  })

  test('are each read once, and no more of them than a list may hold', async () => {
    const { sql } = platform.database
    const heavy = await Promise.all(
      Array.from({ length: 6 }, (_, index) => bench.create(folder.id, 'Note', `member-${index}`)),
    )
    const heavyIds = heavy.map(({ id }) => id)
    await sql`
      UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
      WHERE id = ANY (${heavyIds})`
    const listed = (ids: readonly string[]) => sql`
      UPDATE documents SET properties = properties || ${sql.json({ 'collection:documentIds': [...ids] })}
      WHERE id = ${collection.id}`
    const madeUp = () => Array.from({ length: 499 }, () => randomUUID())
    const first = heavyIds[0]!
    await listed(Array.from({ length: 6 }, () => [first, ...madeUp()]).flat())
    const members = () =>
      run('Collection.GetDocumentsFromCollection', { input: input(collection), as: READER })
    expect(idsOf(await members())).toEqual([first])
    await listed(heavyIds)
    await expect(members()).rejects.toMatchObject({ code: 'tooLarge' })
    await sql`UPDATE documents SET properties = properties - 'dc:source' WHERE id = ANY (${heavyIds})`
  })

  test('of a page are read once, however large its collections are, and without what is not shown', async () => {
    const heavy = await Promise.all(
      Array.from({ length: 6 }, (_, index) => bench.create(folder.id, 'Collection', `large-${index}`)),
    )
    const ids = heavy.map(({ id }) => id)
    for (const id of ids) for (const member of [file, note]) await add(member, ADMINISTRATOR, id)
    const { sql } = platform.database
    for (const id of ids)
      await sql`UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat(chr(1), 2500000))
        WHERE id = ${id}`
    const query = encodeURIComponent(
      `SELECT * FROM Document WHERE ecm:uuid IN ('${file.id}', '${note.id}') AND ecm:isVersion = 0`,
    )
    const page = (headers: { [name: string]: string }) =>
      call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`, {
        user: 'rita',
        headers: { 'enrichers-document': 'collections', ...headers },
      })
    const { status, json } = await page({})
    expect(status, json.message).toBe(200)
    const listed = new Map(
      json.entries.map(({ uid, contextParameters }: { uid: string; contextParameters: object }) => [
        uid,
        contextParameters,
      ]),
    )
    for (const { id } of [file, note])
      expect(listed.get(id)).toEqual({
        collections: ids.map((uid, index) =>
          expect.objectContaining({ uid, title: `large-${index}`, type: 'Collection' }),
        ),
      })
    expect((await page({ depth: 'children', properties: 'dublincore' })).status).toBe(413)
    await sql`UPDATE documents SET properties = properties - 'dc:source' WHERE id = ANY (${ids})`
  })

  test('of a long list are compared by look-up, not one with each other', async () => {
    const ids = () => Array.from({ length: 60_000 }, () => randomUUID())
    const write = (documentIds: string[]) =>
      run('Document.Update', {
        input: input(collection),
        params: { properties: { 'collection:documentIds': documentIds } },
        as: WRITER,
      })
    await write(ids())
    const begun = process.cpuUsage()
    const wanted = ids()
    await write(wanted)
    const { user } = process.cpuUsage(begun)
    const floor = process.cpuUsage()
    // A tenth of the comparisons of each with each.
    let found = 0
    for (const id of wanted.slice(0, 6_000)) if (wanted.includes(`${id}-`)) found++
    expect(found).toBe(0)
    expect(user / process.cpuUsage(floor).user).toBeLessThan(5)
  })

  test('stay members when the caller writes back what can be seen', async () => {
    await add(file)
    await add(note)
    await setAces(platform, file.id, CLOSED)
    const properties = { 'dc:title': 'Ours', 'collection:documentIds': [] }
    await run('Document.Update', { input: input(collection), params: { properties }, as: WRITER })
    expect(await membersOf(collection)).toEqual([file.id])
    await run('Document.Update', { input: input(collection), params: { properties } })
    expect(await membersOf(collection)).toEqual([])
  })
})

test('users put a document into a thousand collections at most, and into their favourites', async () => {
  await add(note)
  const { sql } = platform.database
  await sql`
    UPDATE documents SET properties = jsonb_set(properties, '{collectionMember:collectionIds}', (
      SELECT jsonb_agg(gen_random_uuid()) FROM generate_series(1, 999)) || jsonb_build_array(${collection.id}::text))
    WHERE id = ${note.id}`
  const other = await bench.create(folder.id, 'Collection', 'other')
  const message = new RegExp(`collection: ${note.path} is in 1000 collections`)
  await expect(add(note, WRITER, other.id)).rejects.toEqual(refused('badRequest', message))
  const params = { target: folder.id, name: 'copy' }
  await expect(run('Document.Copy', { input: input(collection), params, as: WRITER })).rejects.toEqual(
    refused('badRequest', /collection: a member is in 1000 collections/),
  )
  await run('Document.AddToFavorites', { input: input(note), as: READER })
  await add(note, ADMINISTRATOR, other.id)
  expect(await marksOf(note)).toHaveLength(1_002)
  // Whoever takes it out of one needs no room for it.
  await bench.remove(note, WRITER, other.id)
  expect(await marksOf(note)).toHaveLength(1_001)
})
