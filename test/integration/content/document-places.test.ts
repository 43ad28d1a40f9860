import { beforeEach, describe, expect, it } from 'vitest'
import type { Principal } from '../../../core/access/security/index.js'
import { copyDocument, getChildren } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR, ANN, documentOf, idsOf, input, inputs } from '../support/operations-support.js'

const { run, chain, read, create, as, events, grant, workspace } = await createDocumentBench('places')

let folder: DocumentRecord
let target: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  target = await workspace()
  file = await create(folder.id, 'File', 'file', { 'dc:title': 'A file' })
})

const move = async (document: { id: string }, params: { target: string; name?: string }, options = {}) =>
  documentOf(await run('Document.Move', { input: input(document), params, ...options }))
const copy = async (document: { id: string }, params: { target: string; name?: string }, options = {}) =>
  documentOf(await run('Document.Copy', { input: input(document), params, ...options }))
const namesIn = (parent: DocumentRecord) =>
  as(async (session) => (await getChildren(session, parent)).map(({ name }) => name))

describe('Document.Move', () => {
  it('reports from where and to where', async () => {
    await events()
    const moved = await move(file, { target: target.id, name: 'moved' })
    expect(moved.path).toBe(`${target.path}/moved`)
    expect(await events()).toEqual([
      expect.objectContaining({
        event: 'documentMoved',
        documentId: file.id,
        payload: expect.objectContaining({
          from: file.path,
          to: moved.path,
          originalName: 'file',
          parentPath: folder.path,
          destinationPath: target.path,
        }),
      }),
    ])
  })

  it('keeps lock, version and state', async () => {
    await run('Document.CheckIn', { input: input(file), params: { version: 'major' } })
    await run('Document.SetLifeCycle', { input: input(file), params: { value: 'approve' } })
    await run('Document.Lock', { input: input(file) })
    expect(await move(file, { target: target.id })).toMatchObject({
      lifecycleState: 'approved',
      majorVersion: 1,
      lockOwner: 'Administrator',
    })
  })

  it('renames in place, and gives way to a taken name', async () => {
    await create(folder.id, 'File', 'taken')
    expect((await move(file, { target: folder.id, name: 'renamed' })).name).toBe('renamed')
    expect((await move(file, { target: folder.id, name: 'taken' })).name).toMatch(/^taken\.\d{13}$/)
  })

  it.each<[string, (documents: { parent: DocumentRecord; child: DocumentRecord }) => string]>([
    ['itself', ({ parent }) => parent.id],
    ['its own child', ({ child }) => child.id],
  ])('is refused into %s', async (_title, to) => {
    const parent = await create(folder.id, 'Folder', 'parent')
    const child = await create(parent.id, 'Folder', 'child')
    await expect(move(parent, { target: to({ parent, child }) })).rejects.toMatchObject({
      code: 'badRequest',
    })
    expect((await read(child.id)).path).toBe(child.path)
  })

  it('is refused when a path below would be too long', async () => {
    const long = await create(target.id, 'Folder', 'x'.repeat(1_200))
    const parent = await create(folder.id, 'Folder', 'parent')
    await create(parent.id, 'Folder', 'y'.repeat(1_300))
    await expect(move(parent, { target: long.id })).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('target: the path is longer'),
    })
    expect((await read(parent.id)).path).toBe(parent.path)
  })

  it('needs Remove on the document and AddChildren on the target', async () => {
    await grant(folder.id, 'ann', ['Everything'])
    await expect(move(file, { target: target.id }, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await grant(target.id, 'ann', ['AddChildren'])
    expect((await move(file, { target: target.id }, { as: ANN })).parentId).toBe(target.id)
    await expect(move(file, { target: folder.id }, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

it.each<[string, string[]]>([
  ['Document.Move', ['child', 'parent']],
  ['Document.Copy', ['child', 'parent']],
])('%s takes a list of which one is below another', async (operation, expected) => {
  const parent = await create(folder.id, 'Folder', 'parent')
  const child = await create(parent.id, 'Folder', 'child')
  await run(operation, { input: inputs(parent, child), params: { target: target.id } })
  expect((await namesIn(target)).sort()).toEqual(expected)
})

it('Document.Delete takes a list of which one is below another', async () => {
  const parent = await create(folder.id, 'Folder', 'parent')
  const child = await create(parent.id, 'Folder', 'child')
  await run('Document.Delete', { input: inputs(parent, child) })
  for (const { id } of [parent, child]) await expect(read(id)).rejects.toMatchObject({ code: 'notFound' })
})

describe('Document.Copy', () => {
  it('takes so many documents at most, but of administrators', async () => {
    const parent = await create(folder.id, 'Folder', 'many')
    await grant(folder.id, ANN.name, ['Read'])
    await grant(target.id, ANN.name, ['ReadWrite'])
    const copyBy = (principal: Principal) =>
      as(async (session) => {
        const subtrees = { ...session.stores.subtrees, countBelow: async (_: unknown, most: number) => most }
        const stores = new Proxy(session.stores, {
          get: (all, name) => (name === 'subtrees' ? subtrees : Reflect.get(all, name, all)),
        })
        return copyDocument({ ...session, stores }, parent, { target: target.id })
      }, principal)
    await expect(copyBy(ANN)).rejects.toMatchObject({ code: 'tooLarge' })
    expect(await namesIn(target)).toEqual([])
    expect(await copyBy(ADMINISTRATOR)).toMatchObject({ name: 'many' })
  })

  it('makes a new document by who copies, and emits both', async () => {
    await grant(target.id, 'ann', ['ReadWrite'])
    await run('Document.CheckIn', { input: input(file), params: { version: 'major' } })
    await run('Document.SetLifeCycle', { input: input(file), params: { value: 'approve' } })
    await run('Document.Lock', { input: input(file) })
    await events()
    const made = await copy(file, { target: target.id }, { as: ANN })
    expect(made).toMatchObject({
      lifecycleState: 'project',
      isCheckedIn: false,
      majorVersion: 0,
      lockOwner: null,
      properties: {
        'dc:title': 'A file',
        'dc:creator': 'ann',
        'dc:contributors': ['ann'],
        'dc:lastContributor': 'ann',
      },
    })
    expect(made.properties).not.toHaveProperty('uid:major_version')
    expect((await events()).map(({ event, documentId }) => [event, documentId])).toEqual([
      ['documentDuplicated', file.id],
      ['documentCreatedByCopy', made.id],
    ])
  })

  it('takes along what is below, or not', async () => {
    const parent = await create(folder.id, 'Folder', 'parent')
    await create(parent.id, 'File', 'child')
    expect(await namesIn(await copy(parent, { target: target.id }))).toEqual(['child'])
    const alone = await as((session) =>
      copyDocument(session, parent, { target: target.id, withChildren: false }),
    )
    expect(await namesIn(alone)).toEqual([])
  })

  it('makes a document of a version', async () => {
    await run('Document.CheckIn', { input: input(file), params: { version: 'major' } })
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    expect(await copy(version, { target: target.id })).toMatchObject({ isVersion: false, majorVersion: 0 })
  })
})

describe('ordered children', () => {
  let ordered: DocumentRecord
  beforeEach(async () => {
    ordered = await create(folder.id, 'OrderedFolder', 'ordered')
    for (const name of ['c', 'a', 'b']) await create(ordered.id, 'File', name)
  })

  const child = (name: string) => read(`${ordered.path}/${name}`)
  const order = async (name: string, before?: string) =>
    run('Document.Order', {
      input: input(await child(name)),
      params: before === undefined ? {} : { before: `${ordered.path}/${before}` },
    })

  it('stand as they were made, the newest last', async () => {
    expect(await namesIn(ordered)).toEqual(['c', 'a', 'b'])
    await move(file, { target: ordered.id })
    await copy(await child('a'), { target: ordered.id, name: 'd' })
    expect(await namesIn(ordered)).toEqual(['c', 'a', 'b', 'file', 'd'])
  })

  it.each<[name: string, before: string | undefined, expected: string[]]>([
    ['b', 'c', ['b', 'c', 'a']],
    ['b', 'a', ['c', 'b', 'a']],
    ['c', undefined, ['a', 'b', 'c']],
    ['a', 'a', ['c', 'a', 'b']],
  ])('put %s before %s', async (name, before, expected) => {
    await order(name, before)
    expect(await namesIn(ordered)).toEqual(expected)
  })

  it('report their folder', async () => {
    await events()
    await order('b', 'c')
    expect((await events()).map(({ event, documentId }) => [event, documentId])).toEqual([
      ['childrenOrderChanged', ordered.id],
    ])
  })

  it('take a list before one', async () => {
    const list = inputs(await child('a'), await child('b'))
    const output = await run('Document.Order', { input: list, params: { before: `${ordered.path}/c` } })
    expect(idsOf(output)).toHaveLength(2)
    expect(await namesIn(ordered)).toEqual(['a', 'b', 'c'])
  })

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'before a document elsewhere',
      async () => run('Document.Order', { input: input(await child('a')), params: { before: file.id } }),
      'badRequest',
    ],
    ['in a folder without order', () => run('Document.Order', { input: input(file) }), 'badRequest'],
    [
      'without WriteProperties on the folder',
      async () => run('Document.Order', { input: input(await child('a')), as: ANN }),
      'forbidden',
    ],
  ])('are not put %s', async (_title, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ code })
    expect(await namesIn(ordered)).toEqual(['c', 'a', 'b'])
  })

  it('lose their place when they leave', async () => {
    expect(await move(await child('a'), { target: folder.id })).toMatchObject({ position: null })
  })
})

describe('facets', () => {
  const addFacet = async (facet: string, params = {}, options = {}) =>
    documentOf(
      await run('Document.AddFacet', { input: input(file), params: { facet, ...params }, ...options }),
    )

  it('bring the properties of their schemas, and take them away again', async () => {
    const folderish = await addFacet('Collection')
    expect(folderish.facets).toEqual(['Collection'])
    const value = { 'collection:documentIds': ['x'] }
    await run('Document.Update', { input: input(file), params: { properties: value } })
    expect((await read(file.id)).properties).toMatchObject(value)
    await run('Document.RemoveFacet', { input: input(file), params: { facet: 'Collection' } })
    expect((await read(file.id)).facets).toEqual([])
    expect((await read(file.id)).properties).not.toHaveProperty('collection:documentIds')
  })

  it('leave it to administrators what the audit keeps', async () => {
    await grant(folder.id, 'ann', ['ReadWrite'])
    for (const facet of ['SystemDocument', 'ForceAudit']) {
      const change = { input: input(file), params: { facet }, as: ANN }
      const refused = { code: 'forbidden', message: expect.stringContaining(`facet: ${facet} decides`) }
      await expect(run('Document.AddFacet', change)).rejects.toMatchObject(refused)
      expect((await addFacet(facet)).facets).toEqual([facet])
      await expect(run('Document.RemoveFacet', change)).rejects.toMatchObject(refused)
      await run('Document.RemoveFacet', { ...change, as: ADMINISTRATOR })
    }
  })

  it('keep what another schema of the document has', async () => {
    await addFacet('Picture')
    await run('Document.SetProperty', { input: input(file), params: { xpath: 'dc:source', value: 'x' } })
    await run('Document.RemoveFacet', { input: input(file), params: { facet: 'Picture' } })
    expect((await read(file.id)).properties).toMatchObject({ 'dc:source': 'x', 'dc:title': 'A file' })
  })

  it.each([
    ['that the type has', 'Versionable'],
    ['that the document has', 'Thumbnail'],
  ])('%s stay as they are', async (_title, facet) => {
    await addFacet('Thumbnail')
    const before = await read(file.id)
    await addFacet(facet)
    expect(await read(file.id)).toEqual(before)
  })

  it.each(['Versionable', 'Thumbnail'])('%s of the type, or of nobody, cannot be removed', async (facet) => {
    const before = await read(file.id)
    await run('Document.RemoveFacet', { input: input(file), params: { facet } })
    expect(await read(file.id)).toEqual(before)
  })

  it('wait for a save when asked to', async () => {
    const output = await chain(
      [
        { operation: 'Document.AddFacet', params: { facet: 'Thumbnail', save: false } },
        { operation: 'Document.Save', params: {} },
      ],
      { input: input(file) },
    )
    expect(documentOf(output).facets).toEqual(['Thumbnail'])
    const unsaved = await addFacet('CollectionMember', { save: false })
    expect(unsaved.facets).toEqual(['Thumbnail', 'CollectionMember'])
    expect((await read(file.id)).facets).toEqual(['Thumbnail'])
  })

  it('must be known, and the document writable', async () => {
    await expect(addFacet('Nothing')).rejects.toMatchObject({ code: 'badRequest' })
    await expect(addFacet('Thumbnail', {}, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('are changes like any other', async () => {
    await events()
    await addFacet('Thumbnail')
    expect(namesOf(await events())).toEqual(['documentModified'])
  })
})

describe('locks', () => {
  const lock = async (options = {}) =>
    documentOf(await run('Document.Lock', { input: input(file), ...options }))
  const unlock = async (options = {}) =>
    documentOf(await run('Document.Unlock', { input: input(file), ...options }))

  it('belong to the caller, whatever owner is given', async () => {
    await events()
    expect(await lock({ params: { owner: 'ann' } })).toMatchObject({ lockOwner: 'Administrator' })
    expect(await unlock()).toMatchObject({ lockOwner: null, lockedAt: null })
    expect(namesOf(await events())).toEqual(['documentLocked', 'documentUnlocked'])
  })

  it('are refused while there is one, even to its owner', async () => {
    await lock()
    await expect(lock()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Document already locked by Administrator'),
    })
  })

  it('keep others from writing, and need Unlock to be taken away by them', async () => {
    await grant(folder.id, 'ann', ['ReadWrite'])
    await lock()
    for (const [operation, params] of [
      ['Document.Update', { properties: 'dc:title=X' }],
      ['Document.AddFacet', { facet: 'Thumbnail' }],
      ['Document.SetLifeCycle', { value: 'approve' }],
      ['Document.CreateVersion', { increment: 'Minor' }],
    ] as const)
      await expect(run(operation, { input: input(file), params, as: ANN })).rejects.toMatchObject({
        code: 'forbidden',
      })
    await expect(unlock({ as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await grant(folder.id, 'ann', ['ReadWrite', 'Unlock'])
    expect(await unlock({ as: ANN })).toMatchObject({ lockOwner: null })
  })

  it('are taken from what has none without a word', async () => {
    await events()
    expect(await unlock({ as: ANN })).toEqual(file)
    expect(await events()).toEqual([])
  })

  it('change neither dates nor contributors nor the half of the token that clients compare', async () => {
    const locked = await lock()
    expect(locked.properties).toEqual(file.properties)
    expect(locked.userToken).toBe(file.userToken)
  })
})
