import { describe, expect, test } from 'vitest'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench()
const { call, ok, start, tasks, complete, file, deploy } = bench

const operation = (user: string, id: string, body: object) =>
  call('POST', `${API}/automation/${id}`, { user, json: body })

/** A task of bob in a workflow that ann has started, and bob's own folder. */
const begun = async () => {
  const started = await start('SerialDocumentReview', [await file()])
  const [choose] = await tasks('ann', started.id)
  await ok(complete('ann', choose, 'start_review', { variables: { participants: ['bob'] } }))
  const [task] = await tasks('bob', started.id)
  return { id: started.id, task }
}

/** A folder in which bob may do everything. */
const folderOfBob = async () => {
  const properties = { 'dc:title': 'of bob' }
  const json = { 'entity-type': 'document', type: 'Folder', name: 'bob', properties }
  const { uid } = await ok(call('POST', `${API}/path/`, { json }), 201)
  const params = { username: 'bob', permission: 'Everything' }
  await ok(operation('Administrator', 'Document.AddPermission', { input: `doc:${uid}`, params }))
  return uid as string
}

describe('a task', () => {
  test('are listed by page providers', async () => {
    const { id, task } = await begun()
    const listed = async (provider: string, ...queryParams: string[]) => {
      const parameters = queryParams.map((value) => `queryParams=${encodeURIComponent(value)}`).join('&')
      const to = `${API}/search/pp/${provider}/execute?${parameters}`
      const { entries } = await ok(call('GET', to, { user: 'bob' }))
      return entries.map(({ uid }: { uid: string }) => uid)
    }
    expect(await listed('user_tasks', '$currentUser')).toContain(task.id)
    expect(await listed('user_tasks', 'ann')).toEqual([])
    expect(await listed('GET_TASKS_FOR_ACTORS', 'bob')).toContain(task.id)
    expect(await listed('GET_TASKS_FOR_PROCESS', id)).toEqual([task.id])
    expect(await listed('GET_TASKS_FOR_PROCESS_AND_NODE', id, task.nodeName)).toEqual([task.id])
  })

  test('is no document that its actor may copy, move, remove, end or share', async () => {
    const { task } = await begun()
    const target = await folderOfBob()
    const input = `doc:${task.id}`
    const answers = await Promise.all(
      Object.entries({
        'Document.Copy': { target },
        'Document.Move': { target },
        'Document.FollowLifecycleTransition': { value: 'end' },
        'Document.AddPermission': { username: 'eve', permission: 'Read' },
        'Document.Trash': {},
        'Document.Delete': {},
      }).map(async ([id, params]) => [id, (await operation('bob', id, { input, params })).status]),
    )
    expect(answers.filter(([, status]) => status !== 403)).toEqual([])
    expect(await ok(call('GET', `${API}/task/${task.id}`, { user: 'bob' }))).toMatchObject({
      state: 'opened',
    })
  })

  test('is written by its workflow alone: what its actor sends of it is ignored', async () => {
    const { task } = await begun()
    const secret = await file()
    const properties = { 'nt:targetDocumentsIds': [secret], 'nt:initiator': 'eve', 'dc:title': 'mine' }
    const json = { 'entity-type': 'document', properties }
    await ok(call('PUT', `${API}/id/${task.id}`, { user: 'bob', json }))
    const written = await ok(call('GET', `${API}/id/${task.id}`, { headers: { properties: '*' } }))
    expect(written.properties).toMatchObject({ 'dc:title': 'mine', 'nt:initiator': 'ann' })
    expect(written.properties['nt:targetDocumentsIds']).not.toContain(secret)
  })

  test('is made by the product alone', async () => {
    const parent = await folderOfBob()
    for (const type of ['TaskDoc', 'RoutingTask', 'DocumentRoute']) {
      const json = { 'entity-type': 'document', type, name: 'forged', properties: {} }
      expect((await call('POST', `${API}/id/${parent}`, { user: 'bob', json })).status, type).toBe(403)
    }
    const params = { facet: 'Task' }
    expect((await operation('bob', 'Document.AddFacet', { input: `doc:${parent}`, params })).status).toBe(403)
  })

  test('that its workflow does not know grants nothing, whoever has made it', async () => {
    const { id, task } = await begun()
    const [secret, parent] = [await file(), await folderOfBob()]
    const json = {
      'entity-type': 'document',
      type: 'RoutingTask',
      name: 'forged',
      properties: {
        'nt:processId': id,
        'nt:type': task.nodeName,
        'nt:actors': ['bob'],
        'nt:targetDocumentsIds': [secret],
      },
    }
    const { uid } = await ok(call('POST', `${API}/id/${parent}`, { json }), 201)
    const to = `${API}/task/${uid}`
    expect((await call('PUT', `${to}/delegate?delegatedActors=bob`, { user: 'bob' })).status).toBe(409)
    expect((await call('PUT', `${to}/reassign?actors=bob`, { user: 'bob' })).status).toBe(409)
  })

  test('keeps texts and actors of a bounded size', async () => {
    const { task } = await begun()
    const comment = 'x'.repeat(10_001)
    expect((await complete('bob', task, 'validate', { comment })).status).toBe(400)
    const large = { variables: { comment: 'x'.repeat(1024 * 1024) } }
    expect(await complete('bob', task, 'validate', large)).toMatchObject({
      status: 400,
      json: { message: 'variables: are larger than 1048576 bytes of JSON' },
    })
    const documents = Array.from({ length: 1_001 }, () => 'none')
    const json = {
      'entity-type': 'workflow',
      workflowModelName: 'SerialDocumentReview',
      attachedDocumentIds: documents,
    }
    expect((await call('POST', `${API}/workflow`, { user: 'ann', json })).status).toBe(400)
    const actors = Array.from({ length: 1_001 }, (_, index) => `u${index}`)
    const to = `${API}/task/${task.id}/delegate?delegatedActors=${actors.join(',')}`
    expect((await call('PUT', to, { user: 'bob' })).status).toBe(400)
  })

  test('names no chain that its creator may not call', async () => {
    const input = `doc:${await file()}`
    const secret = 'operations:\n- Document.SetProperty: { xpath: dc:title, value: secret }\n'
    await ok(deploy('chains', 'for-some', secret), 201)
    await ok(deploy('operationFilters', 'Chain.for-some', 'groups: [nobody]\n'), 201)
    const params = { 'task name': 'do it', 'additional list of actors prefixed ids': ['ann'] }
    for (const chain of ['for-some', 'Document.Delete', 'unknown'])
      for (const name of ['accept operation chain', 'reject operation chain']) {
        const wanted = { input, params: { ...params, [name]: chain } }
        expect(await operation('ann', 'Task.Create', wanted)).toMatchObject({
          status: 403,
          json: { message: expect.stringContaining(`${name}: ann may call no chain ${chain}`) },
        })
      }
  })
})

test('the graph of a workflow is for those who may see it, and those who have a task of it', async () => {
  const { id } = await begun()
  const statuses = async (what: string) =>
    Promise.all(
      ['ann', 'bob', 'eve'].map(
        async (user) => (await call('GET', `${API}/workflow/${id}/${what}`, { user })).status,
      ),
    )
  expect(await statuses('graph')).toEqual([200, 200, 404])
  expect(await statuses('diagram')).toEqual([200, 200, 404])
})

test('a task that is passed on while it is ended grants nothing', async () => {
  const { task } = await begun()
  const [document] = task.targetDocumentIds
  const to = `${API}/task/${task.id}/delegate?delegatedActors=eve`
  const [ended, passed] = await Promise.all([
    complete('bob', task, 'validate'),
    call('PUT', to, { user: 'bob' }),
  ])
  expect(ended.status).toBe(200)
  expect([200, 409], passed.text).toContain(passed.status)
  const { acl } = await ok(call('GET', `${API}/id/${document.id}/@acl`))
  expect(JSON.stringify(acl)).not.toContain('delegation/')
})
