import { beforeEach, describe, expect, it } from 'vitest'
import type { Principal } from '../../../core/access/security/index.js'
import { queryDocuments } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR, ANN, documentOf, idsOf, input, STRANGER } from '../support/operations-support.js'

const {
  platform,
  run,
  read,
  create,
  as,
  events,
  grant,
  workspace,
  section: newSection,
} = await createDocumentBench('proxies')

let folder: DocumentRecord
let section: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  section = await newSection()
  file = await create(folder.id, 'File', 'file', { 'dc:title': 'First' })
})

type Publication = { target?: string; override?: boolean; as?: Principal }

const publish = async (
  document = file,
  { target = section.id, override = true, as: who = ADMINISTRATOR }: Publication = {},
) =>
  documentOf(
    await run('Document.PublishToSection', {
      input: input(document),
      params: { target, override },
      as: who,
    }),
  )

const retitle = (document: { id: string }, title: string, options = {}) =>
  run('Document.Update', {
    input: input(document),
    params: { properties: { 'dc:title': title } },
    ...options,
  })

const live = async (options = {}) =>
  documentOf(
    await run('Document.CreateLiveProxy', {
      input: input(file),
      params: { 'Destination Path': section.path! },
      ...options,
    }),
  )

const titleOf = async ({ id }: { id: string }) => (await read(id)).properties['dc:title']

describe('Document.PublishToSection', () => {
  it('shows a new minor version under an id and a place of its own', async () => {
    await events()
    const proxy = await publish()
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    expect(proxy).toMatchObject({
      isProxy: true,
      isVersion: false,
      type: 'File',
      parentId: section.id,
      path: `${section.path}/file`,
      proxyTargetId: version.id,
      proxyVersionSeriesId: file.id,
      versionSeriesId: null,
      properties: version.properties,
    })
    expect(version).toMatchObject({ versionLabel: '0.1' })
    expect(proxy.id).not.toBe(version.id)
    expect((await events()).map(({ event, documentId }) => [event, documentId])).toEqual([
      ['documentCreated', version.id],
      ['documentCheckedIn', file.id],
      ['documentCreated', proxy.id],
      ['documentProxyPublished', proxy.id],
      ['sectionContentPublished', section.id],
      ['documentPublished', file.id],
    ])
  })

  it('shows the version that is there when nothing changed since', async () => {
    await run('Document.CreateVersion', { input: input(file), params: { increment: 'Major' } })
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    expect((await publish()).proxyTargetId).toBe(version.id)
  })

  it('points the proxy that is there to the new version', async () => {
    const first = await publish()
    await retitle(file, 'Second')
    expect(await titleOf(first)).toBe('First')
    await events()
    const second = await publish()
    expect(second.id).toBe(first.id)
    expect(second.proxyTargetId).not.toBe(first.proxyTargetId)
    expect(await titleOf(first)).toBe('Second')
    expect(namesOf(await events())).toEqual([
      'documentCreated',
      'documentCheckedIn',
      'documentProxyUpdated',
      'sectionContentPublished',
      'documentPublished',
    ])
  })

  it('makes another proxy without override, and joins them again with it', async () => {
    const first = await publish()
    const other = await publish(file, { override: false })
    expect(other).toMatchObject({ parentId: section.id, name: expect.stringMatching(/^file\.\d+$/) })
    const joined = await publish()
    expect([first.id, other.id]).not.toContain(joined.id)
    expect(await as((session) => session.stores.children.list(section.id))).toHaveLength(1)
  })

  it('publishes a version, and what a proxy shows', async () => {
    const proxy = await publish()
    const elsewhere = await newSection()
    await retitle(file, 'Second')
    expect((await publish(proxy, { target: elsewhere.id })).proxyTargetId).toBe(proxy.proxyTargetId)
    const version = await read(proxy.proxyTargetId!)
    expect((await publish(version, { target: elsewhere.id })).proxyTargetId).toBe(version.id)
  })

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'into a document that is no folder of documents',
      async () => publish(file, { target: (await publish()).id }),
      'badRequest',
    ],
    ['of a folder', async () => publish(folder), 'badRequest'],
    [
      'of what is in the trash',
      async () => publish(documentOf(await run('Document.Trash', { input: input(file) }))),
      'badRequest',
    ],
    ['without AddChildren on the section', () => publish(file, { as: ANN }), 'forbidden'],
    ['for whom there is no such document', () => publish(file, { as: STRANGER }), 'notFound'],
  ])('is refused %s', async (_title, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ code })
  })

  it('needs WriteVersion when there is something to check in, and Read alone when there is not', async () => {
    await grant(section.id, 'ann', ['AddChildren'])
    await expect(publish(file, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await run('Document.CreateVersion', { input: input(file), params: { increment: 'Major' } })
    expect(await publish(file, { as: ANN })).toMatchObject({ isProxy: true })
  })
})

it('needs a right on the publication that is there to change it, and may make another one without', async () => {
  await publish()
  await run('Document.CreateVersion', { input: input(file), params: { increment: 'Major' } })
  const proxy = (await publish()).id
  await grant(section.id, 'ann', ['Read', 'AddChildren'])
  await retitle(file, 'Second')
  await run('Document.CreateVersion', { input: input(file), params: { increment: 'Major' } })
  await expect(publish(file, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await titleOf({ id: proxy })).toBe('First')
  expect((await publish(file, { as: ANN, override: false })).id).not.toBe(proxy)
  await run('Document.UnpublishAll', { input: input(file) })
  const own = (await publish()).id
  await grant(section.id, 'ann', ['Read', 'Write'])
  expect((await publish(file, { as: ANN })).id).toBe(own)
})

it('Document.PublishToSections gives a proxy in each section', async () => {
  const other = await newSection()
  const ids = idsOf(
    await run('Document.PublishToSections', {
      input: input(file),
      params: { target: [section.id, other.path!] },
    }),
  )
  const proxies = await Promise.all(ids.map(read))
  expect(proxies.map(({ parentId }) => parentId)).toEqual([section.id, other.id])
  expect(new Set(proxies.map(({ proxyTargetId }) => proxyTargetId)).size).toBe(1)
})

it('Document.PublishToSections takes each document and each section once', async () => {
  const note = await create(folder.id, 'Note', 'note')
  await events()
  const ids = idsOf(
    await run('Document.PublishToSections', {
      input: { type: 'documents', ids: [file.id, note.id, file.id], mustExist: true },
      params: { target: [section.id, section.path!, section.id], override: false },
    }),
  )
  const proxies = await Promise.all(ids.map(read))
  expect(proxies.map(({ proxyVersionSeriesId }) => proxyVersionSeriesId)).toEqual(
    [file.id, note.id].flatMap((id) => [id, id, id]),
  )
  expect(new Set(ids).size).toBe(2)
  expect(namesOf(await events()).filter((name) => name === 'documentProxyPublished')).toHaveLength(2)
})

it.each<[string, number, string, object]>([
  ['Document.PublishToSections', 1_000, 'target', {}],
  ['Document.AddPermission', 10_000, 'users', { permission: 'Read' }],
  ['Services.TagDocument', 100_000, 'tags', {}],
  ['Services.UntagDocument', 100_000, 'tags', {}],
])('%s does nothing for more than %i pairs of documents and %s', async (operation, most, list, more) => {
  const isPublishing = list === 'target'
  const inputs = isPublishing ? 32 : most / 1_000 + 1
  const of = isPublishing ? 32 : 1_000
  const names = Array.from({ length: of }, (_, at) => `entry-${at}`)
  const sections: string[] = []
  const documents: string[] = []
  for (const name of isPublishing ? names : []) {
    sections.push((await create(section.id, 'Section', name)).id)
    documents.push((await create(folder.id, 'Note', name)).id)
  }
  await events()
  const ids = isPublishing ? documents : Array(inputs).fill(file.id)
  const call = run(operation, {
    input: { type: 'documents', ids, mustExist: true },
    params: { ...more, [list]: isPublishing ? sections : names },
  })
  await expect(call).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining(
      `${list}: ${of} entries for each of ${inputs} documents are ${of * inputs}, more than ${most} in one call`,
    ),
  })
  expect(await events()).toEqual([])
})

describe('a proxy of a version', () => {
  it('has rights of its place, not of its target', async () => {
    const proxy = await publish()
    await grant(section.id, 'sam', ['Read'])
    expect(
      documentOf(await run('Repository.GetDocument', { params: { value: proxy.id }, as: STRANGER })).id,
    ).toBe(proxy.id)
    await expect(
      run('Repository.GetDocument', { params: { value: file.id }, as: STRANGER }),
    ).rejects.toMatchObject({ code: 'notFound' })
  })

  it.each<[string, (proxy: DocumentRecord) => Promise<unknown>]>([
    ['a change', (proxy) => retitle(proxy, 'Other')],
    ['a lock', (proxy) => run('Document.Lock', { input: input(proxy) })],
    [
      'a transition',
      (proxy) => run('Document.SetLifeCycle', { input: input(proxy), params: { value: 'approve' } }),
    ],
    ['a child', (proxy) => create(proxy.id, 'File', 'below')],
  ])('refuses %s', async (_title, attempt) => {
    await expect(attempt(await publish())).rejects.toMatchObject({ code: 'badRequest' })
  })

  it('is found by queries on what it shows', async () => {
    const proxy = await publish()
    const found = await queryDocuments(
      platform.readSession(ADMINISTRATOR),
      `SELECT * FROM File WHERE dc:title = 'First' AND ecm:isProxy = 1 AND ecm:parentId = '${section.id}'`,
    )
    expect(found.entries.map(({ id }) => id)).toEqual([proxy.id])
  })

  it('can be moved, copied and removed like any document', async () => {
    const proxy = await publish()
    const other = await newSection()
    const copy = documentOf(await run('Document.Copy', { input: input(proxy), params: { target: other.id } }))
    expect(copy).toMatchObject({ isProxy: true, proxyTargetId: proxy.proxyTargetId, parentId: other.id })
    expect(copy).toMatchObject({ properties: proxy.properties, isCheckedIn: true, minorVersion: 1 })
    const moved = documentOf(
      await run('Document.Move', { input: input(proxy), params: { target: other.id, name: 'moved' } }),
    )
    expect(moved).toMatchObject({ isProxy: true, path: `${other.path}/moved` })
    await events()
    await run('Document.Delete', { input: input(moved) })
    expect(namesOf(await events())).toEqual(['proxyRemoved'])
    expect(await titleOf(copy)).toBe('First')
    expect(await titleOf(file)).toBe('First')
  })

  it('keeps showing what it shows after its document is gone, and takes the versions along in the end', async () => {
    const proxy = await publish()
    const copy = await publish(file, { override: false })
    await run('Document.Delete', { input: input(file) })
    expect(await titleOf(proxy)).toBe('First')
    await run('Document.Delete', { input: input(proxy) })
    expect(await titleOf(copy)).toBe('First')
    await run('Document.Delete', { input: input(section) })
    await expect(read(proxy.proxyTargetId!)).rejects.toMatchObject({ code: 'notFound' })
  })
})

describe('a live proxy', () => {
  it('shows every change of its target, and passes changes on', async () => {
    const proxy = await live()
    expect(proxy).toMatchObject({ isProxy: true, proxyTargetId: file.id, proxyVersionSeriesId: file.id })
    await retitle(file, 'Second')
    expect(await titleOf(proxy)).toBe('Second')
    const updated = documentOf(await retitle(proxy, 'Third'))
    expect(updated).toMatchObject({ id: proxy.id, path: proxy.path, properties: { 'dc:title': 'Third' } })
    expect(await titleOf(file)).toBe('Third')
  })

  it('shares lock, state and version with its target', async () => {
    const proxy = await live()
    await run('Document.Lock', { input: input(proxy) })
    expect((await read(file.id)).lockOwner).toBe('Administrator')
    await run('Document.Unlock', { input: input(file) })
    expect((await read(proxy.id)).lockOwner).toBeNull()
    await run('Document.SetLifeCycle', { input: input(proxy), params: { value: 'approve' } })
    expect((await read(file.id)).lifecycleState).toBe('approved')
    const checkedIn = documentOf(
      await run('Document.CheckIn', { input: input(proxy), params: { version: 'major' } }),
    )
    expect(checkedIn).toMatchObject({ id: proxy.id, isCheckedIn: true, majorVersion: 1 })
    expect(await read(file.id)).toMatchObject({ isCheckedIn: true, majorVersion: 1 })
    expect(idsOf(await run('Document.GetVersions', { input: input(proxy) }))).toHaveLength(1)
  })

  it('gives no right on its target to whoever made it', async () => {
    await grant(section.id, 'ann', ['Everything'])
    const proxy = await live({ as: ANN })
    await expect(retitle(proxy, 'Mine', { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await titleOf(file)).toBe('First')
  })

  it('keeps its target from being removed, unless it is removed with it', async () => {
    const proxy = await live()
    const { path } = await read(folder.id)
    await expect(run('Document.Delete', { input: input(folder) })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(path!),
    })
    await run('Document.Move', { input: input(proxy), params: { target: folder.id, name: 'shown' } })
    await run('Document.Delete', { input: input(folder) })
    await expect(read(proxy.id)).rejects.toMatchObject({ code: 'notFound' })
  })

  it('is not made of what is in the trash, nor of a version', async () => {
    await publish()
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    const params = { 'Destination Path': section.path! }
    await run('Document.Trash', { input: input(file) })
    for (const document of [file, version])
      await expect(run('Document.CreateLiveProxy', { input: input(document), params })).rejects.toMatchObject(
        { code: 'badRequest' },
      )
  })

  it.each<[string, string, string]>([
    ['a folder that is not there', '/nowhere', 'notFound'],
    ['a path that is none', 'nowhere', 'notFound'],
  ])('needs a folder: %s', async (_title, path, code) => {
    await expect(live({ params: { 'Destination Path': path } })).rejects.toMatchObject({ code })
  })
})

describe('taking proxies away', () => {
  it('Document.RemoveProxies removes all, live ones too', async () => {
    const proxies = [await publish(), await live()]
    const output = documentOf(await run('Document.RemoveProxies', { input: input(file) }))
    expect(output.id).toBe(file.id)
    for (const { id } of proxies) await expect(read(id)).rejects.toMatchObject({ code: 'notFound' })
  })

  it('Document.RemoveProxies removes nothing when it may not remove one', async () => {
    const proxy = await publish()
    await expect(run('Document.RemoveProxies', { input: input(file), as: ANN })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await read(proxy.id)).isProxy).toBe(true)
  })

  it('Document.UnpublishAll removes the publications that the caller may remove, and no live proxy', async () => {
    const other = await newSection()
    const [mine, theirs, shown] = [await publish(), await publish(file, { target: other.id }), await live()]
    await grant(section.id, 'ann', ['Everything'])
    expect((await run('Document.UnpublishAll', { input: input(file), as: ANN })).type).toBe('void')
    await expect(read(mine.id)).rejects.toMatchObject({ code: 'notFound' })
    expect((await read(theirs.id)).isProxy && (await read(shown.id)).isProxy).toBe(true)
  })

  it('Proxy.GetSourceDocument gives the live document of proxies and versions', async () => {
    const proxy = await publish()
    const version = await read(proxy.proxyTargetId!)
    for (const document of [proxy, version, file]) {
      const source = documentOf(await run('Proxy.GetSourceDocument', { input: input(document) }))
      expect(source.id).toBe(file.id)
    }
  })
})
