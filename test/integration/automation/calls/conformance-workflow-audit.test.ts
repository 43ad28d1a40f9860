import { beforeEach, describe, expect, test } from 'vitest'
import { createRegistry } from '../../../../core/automation/language/index.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { checkIn } from '../../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../../support/document-support.js'
import { ANN, documentOf, idsOf, input, inputs } from '../../support/operations-support.js'
import { createClient, type Entity } from '../../support/rest-client.js'

// What clients rely on of life cycles, versions and collaboration, where no other file shows it
// (docs/conformance/workflow-audit.md).

const { platform, run, chain, read, create, as, events, grant, workspace } =
  await createDocumentBench('conformance')
const call = createClient(platform)

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  file = await create(folder.id, 'File', 'file', { 'dc:title': 'First' })
})

const follow = (document: { id: string }, value: string) =>
  run('Document.FollowLifecycleTransition', { input: input(document), params: { value } })

const found = async (where: string): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}' AND ${where}`
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
  return json.entries.map(({ uid }: Entity) => uid)
}

describe('the default life cycle', () => {
  test('is that of the product’s types', () => {
    const { model } = platform.snapshot()
    const types = ['File', 'Note', 'Folder', 'OrderedFolder', 'Workspace', 'Domain', 'Root', 'Section']
    for (const type of [...types, 'WorkspaceRoot', 'SectionRoot', 'TemplateRoot'])
      expect([type, model.types.get(type)?.lifecycle]).toEqual([type, 'default'])
    const { initial, states, transitions } = model.lifecycles.get('default')!
    expect(initial).toBe('project')
    expect(
      Object.fromEntries([...states].map(([state, { transitions: leaving }]) => [state, leaving])),
    ).toEqual({
      project: ['approve', 'obsolete', 'delete'],
      approved: ['backToProject', 'delete'],
      obsolete: ['backToProject', 'delete'],
      deleted: ['undelete'],
    })
    expect(Object.fromEntries([...transitions].map(([name, { to }]) => [name, to]))).toEqual({
      approve: 'approved',
      obsolete: 'obsolete',
      backToProject: 'project',
      delete: 'deleted',
      undelete: 'project',
    })
  })

  test.each([
    ['project', []],
    ['approved', ['approve']],
    ['obsolete', ['obsolete']],
  ])(
    'has delete and undelete in the state %s, which lead through the trash and leave it',
    async (state, way) => {
      for (const transition of way) await follow(file, transition)
      expect(documentOf(await follow(file, 'delete'))).toMatchObject({
        isTrashed: true,
        lifecycleState: state,
      })
      expect(documentOf(await follow(file, 'undelete'))).toMatchObject({
        isTrashed: false,
        lifecycleState: state,
        name: 'file',
      })
    },
  )

  test('is followed by lists of documents, which are the answer', async () => {
    const note = await create(folder.id, 'Note', 'note')
    const output = await run('Document.SetLifeCycle', {
      input: inputs(file, note),
      params: { value: 'approve' },
    })
    expect(idsOf(output)).toEqual([file.id, note.id])
    for (const { id } of [file, note]) expect((await read(id)).lifecycleState).toBe('approved')
  })
})

describe('the comment of a transition', () => {
  const COMMENT = { comment: { type: 'string', value: 'Because' } } as const
  const step = { operation: 'Document.FollowLifecycleTransition', params: { value: 'approve' } }
  const set = { operation: 'Context.SetVar', params: { name: 'comment', value: 'Because' } }

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'of the call',
      () => run(step.operation, { input: input(file), params: step.params, variables: COMMENT }),
      'lifecycle_transition_event',
    ],
    ['of the chain', () => chain([set, step], { input: input(file) }), 'lifecycle_transition_event'],
    [
      'of the chain around',
      () =>
        chain(
          [set, { operation: 'RunOperation', params: { id: 'inner' } }],
          { input: input(file) },
          { inner: [step] },
        ),
      'lifecycle_transition_event',
    ],
    [
      'for each of a list',
      () => run(step.operation, { input: inputs(file), params: step.params, variables: COMMENT }),
      'lifecycle_transition_event',
    ],
    [
      'for what is below a folder',
      () => run(step.operation, { input: input(folder), params: step.params, variables: COMMENT }),
      'lifecycle_transition_event',
    ],
    [
      'into the trash',
      () => run(step.operation, { input: input(file), params: { value: 'delete' }, variables: COMMENT }),
      'documentTrashed',
    ],
    [
      'out of the trash',
      async () => {
        await follow(file, 'delete')
        await run(step.operation, { input: input(file), params: { value: 'undelete' }, variables: COMMENT })
      },
      'documentUntrashed',
    ],
  ])('%s reaches its event', async (_whose, work, event) => {
    await events()
    await work()
    const reported = (await events()).filter((one) => one.event === event && one.documentId === file.id)
    expect(reported.map(({ payload }) => payload.comment)).toEqual(['Because'])
  })

  test('reaches the event of what a live proxy shows', async () => {
    const params = { 'Destination Path': '/default-domain/workspaces' }
    const proxy = documentOf(await run('Document.CreateLiveProxy', { input: input(file), params }))
    await events()
    await run(step.operation, { input: input(proxy), params: step.params, variables: COMMENT })
    expect(await events()).toMatchObject([{ documentId: file.id, payload: { comment: 'Because' } }])
  })
})

test('events name the state after the change', async () => {
  const lifecycleStates = async () =>
    (await events()).map(({ event, payload }) => [event, payload.lifecycleState])
  await events()
  await follow(folder, 'approve')
  expect(await lifecycleStates()).toEqual([
    ['lifecycle_transition_event', 'approved'],
    ['lifecycle_transition_event', 'approved'],
  ])
  const { version } = await as(async (session) =>
    checkIn(session, await read(file.id), { increment: 'MAJOR' }),
  )
  await events()
  await run('Document.Update', { input: input(file), params: { properties: 'dc:title=Second' } })
  expect((await lifecycleStates()).slice(1)).toEqual([
    ['lifecycle_transition_event', 'project'],
    ['documentModified', 'project'],
  ])
  await run('Document.RestoreVersion', { input: input(version) })
  expect(await lifecycleStates()).toEqual([['documentRestored', 'approved']])
})

describe('the trash', () => {
  test('has no adapter', async () => {
    expect((await call('GET', `/api/v1/id/${file.id}/@trash`)).status).toBe(404)
  })

  test('is found by ecm:isTrashed', async () => {
    await run('Document.Trash', { input: input(file) })
    expect(await found('ecm:isTrashed = 1')).toEqual([file.id])
    expect(await found('ecm:isTrashed = 0')).toEqual([])
    await run('Document.Untrash', { input: input(file) })
    expect(await found('ecm:isTrashed = 0')).toEqual([file.id])
  })
})

describe('versions', () => {
  const put = (uid: string, option: string) =>
    call('PUT', `/api/v1/id/${uid}`, {
      json: { 'entity-type': 'document', properties: { 'dc:title': option } },
      headers: { 'X-Versioning-Option': option },
    })

  test.each(
    ['File', 'Note', 'Picture', 'Video', 'Audio', 'Collection'].flatMap((type) =>
      [[], ['approve'], ['obsolete']].map((way) => [type, way] as const),
    ),
  )('of a %s after %j may be asked for, in every increment', async (type, way) => {
    const { id } = await create(folder.id, type, 'versioned')
    for (const transition of way) await follow({ id }, transition)
    for (const [option, isVersion] of [
      ['NONE', false],
      ['MINOR', true],
      ['MAJOR', true],
    ] as const) {
      const answer = await put(id, option)
      expect([option, answer.status, answer.json.isVersion]).toEqual([option, 200, isVersion])
    }
  })

  test('of what is not versionable are NONE alone', async () => {
    const below = await create(folder.id, 'Folder', 'below')
    expect((await put(below.id, 'NONE')).json).toMatchObject({ uid: below.id, title: 'NONE' })
    expect((await put(below.id, 'MINOR')).status).toBe(400)
  })

  test('are not made of documents of the system by themselves', async () => {
    const note = await create(folder.id, 'Note', 'note')
    await run('Document.AddFacet', { input: input(note), params: { facet: 'SystemDocument', save: true } })
    const before = idsOf(await run('Document.GetVersions', { input: input(note) })).length
    await run('Document.Update', { input: input(note), params: { properties: { 'note:note': 'x' } } })
    expect(idsOf(await run('Document.GetVersions', { input: input(note) }))).toHaveLength(before)
  })

  test('are checked in and out by operations that answer with the live document', async () => {
    const checkedIn = documentOf(
      await run('Document.CheckIn', { input: input(file), params: { version: 'major', comment: 'Done' } }),
    )
    expect(checkedIn).toMatchObject({ id: file.id, isCheckedIn: true, majorVersion: 1 })
    const again = await run('Document.CheckIn', { input: input(file), params: { version: 'minor' } })
    expect(documentOf(again)).toEqual(checkedIn)
    const out = documentOf(await run('Document.CheckOut', { input: input(file) }))
    expect(out).toMatchObject({ id: file.id, isCheckedIn: false, majorVersion: 1 })
  })

  test('are found by what NXQL knows of them', async () => {
    const { version: first } = await as((session) =>
      checkIn(session, file, { increment: 'MAJOR', comment: 'The first' }),
    )
    await run('Document.Update', { input: input(file), params: { properties: 'dc:title=Second' } })
    const second = (
      await as(async (session) => checkIn(session, await read(file.id), { increment: 'MINOR' }))
    ).version
    await run('Document.CheckOut', { input: input(file) })
    const params = { target: folder.path! }
    const proxy = documentOf(await run('Document.PublishToSection', { input: input(second), params }))
    const ofSeries = async (where: string) => {
      const query = `SELECT * FROM Document WHERE ${where} AND (ecm:uuid = '${file.id}' OR ecm:versionVersionableId = '${file.id}' OR ecm:proxyVersionableId = '${file.id}') ORDER BY ecm:versionLabel, ecm:isProxy`
      const { json } = await call(
        'GET',
        `/api/v1/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`,
      )
      return json.entries.map(({ uid }: Entity) => uid)
    }
    const rows: [string, string[]][] = [
      ['ecm:isVersion = 1', [first.id, second.id]],
      ['ecm:isVersion = 0 AND ecm:isProxy = 0', [file.id]],
      ['ecm:isProxy = 1', [proxy.id]],
      ['ecm:isCheckedIn = 0', [file.id]],
      ["ecm:versionLabel = '1.0'", [first.id]],
      ['ecm:isLatestVersion = 1 AND ecm:isProxy = 0', [second.id]],
      ['ecm:isLatestMajorVersion = 1', [first.id]],
      [`ecm:versionVersionableId = '${file.id}' AND ecm:isProxy = 0`, [first.id, second.id]],
      [`ecm:proxyVersionableId = '${file.id}'`, [proxy.id]],
      ["ecm:versionCreated > DATE '2020-01-01' AND ecm:isProxy = 0", [first.id, second.id]],
      ["ecm:versionDescription = 'The first'", [first.id]],
    ]
    for (const [where, expected] of rows) expect([where, await ofSeries(where)]).toEqual([where, expected])
  })
})

describe('locks', () => {
  const fetched = async () =>
    (await call('GET', `/api/v1/id/${file.id}`, { headers: { 'fetch.document': 'lock' } })).json

  test('need WriteProperties', async () => {
    await grant(folder.id, 'ann', ['Read'])
    await expect(run('Document.Lock', { input: input(file), as: ANN })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await grant(folder.id, 'ann', ['WriteProperties', 'Read'])
    expect(documentOf(await run('Document.Lock', { input: input(file), as: ANN })).lockOwner).toBe('ann')
  })

  test('are shown when they are fetched, and found by queries', async () => {
    expect(Object.keys(await fetched())).not.toEqual(expect.arrayContaining(['lockOwner']))
    await run('Document.Lock', { input: input(file) })
    expect(await fetched()).toMatchObject({
      lockOwner: 'Administrator',
      lockCreated: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    })
    expect(await found("ecm:lockOwner = 'Administrator' AND ecm:lockCreated > DATE '2020-01-01'")).toEqual([
      file.id,
    ])
    await run('Document.Unlock', { input: input(file) })
    expect(Object.keys(await fetched())).not.toEqual(expect.arrayContaining(['lockCreated']))
    expect(await found('ecm:lockOwner IS NOT NULL')).toEqual([])
  })
})

describe('collaboration', () => {
  test.each([
    ['Document.SetLifeCycle', 'Document.FollowLifecycleTransition'],
    ['Document.Publish', 'Document.PublishToSection'],
    ['Document.MultiPublish', 'Document.PublishToSections'],
    ['CreateProxyLive', 'Document.CreateLiveProxy'],
    ['Notification.SendEvent', 'Event.Fire'],
    ['Collection.CreateCollection', 'Collection.Create'],
    ['Collection.AddToCollection', 'Document.AddToCollection'],
    ['Collection.GetCollections', 'User.GetCollections'],
    ['Collection.AddToFavorites', 'Document.AddToFavorites'],
    ['Collection.RemoveFromFavorites', 'Document.RemoveFromFavorites'],
    ['Collection.GetElementsInFavorite', 'Favorite.GetDocuments'],
    ['UserWorkspace.Get', 'User.GetUserWorkspace'],
  ])('%s is another name of %s', (alias, id) => {
    const known = operations.find((operation) => operation.id === id)
    expect(known?.aliases).toContain(alias)
    expect(createRegistry(operations, []).find(alias)).toMatchObject({ kind: 'operation', operation: known })
  })

  test('is notified of by the names of the reference', async () => {
    const names = [
      'Creation',
      'Modification',
      'Publication',
      'CommentAdded',
      'CommentUpdated',
      'Task assigned',
    ]
    for (const name of names)
      await run('Document.Subscribe', { input: input(file), params: { notifications: [name] }, as: ANN })
    expect((await read(file.id)).properties['notif:notifications']).toEqual(
      names.map((name) => ({ name, subscribers: ['user:ann'] })),
    )
  })

  test('finds documents by their tags', async () => {
    await run('Services.TagDocument', { input: input(file), params: { tags: 'Blue Sky' } })
    expect(await found("ecm:tag = 'bluesky'")).toEqual([file.id])
    expect(namesOf(await events()).at(-1)).toBe('documentTagUpdated')
  })
})
