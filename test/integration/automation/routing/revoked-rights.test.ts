import { expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import { addUser } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { platform, call, ok, start, tasks, file, only, complete, workflow, deploy } =
  await createWorkflowBench()

const MODEL = `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssignees: ['group:reviewers']
    allowTaskReassignment: true
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

test('who has lost the right to a task a moment ago does not end it', async () => {
  const memberUsers = ['bob', 'eve']
  const group = { 'entity-type': 'group', groupname: 'reviewers', memberUsers }
  await ok(call('POST', `${API}/group`, { json: group }), 201)
  await ok(deploy('routes', 'grouped', MODEL), 201)
  const { id } = await start('grouped', [])
  const [task] = await tasks('bob', id)
  await ok(call('DELETE', `${API}/user/bob/group/reviewers`))
  expect(await complete('bob', task!, 'ok')).toMatchObject({
    status: 403,
    json: { message: expect.stringContaining('bob may not act on task') },
  })
  // From everybody else who may not read it, and for everything else, it is hidden.
  expect((await call('GET', `${API}/task/${task!.id}`, { user: 'bob' })).status).toBe(404)
  await addUser(platform, 'dan')
  expect((await complete('dan', task!, 'ok')).status).toBe(404)
  const read = { username: 'bob', permission: 'Read' }
  await ok(
    call('POST', `${API}/automation/Document.AddPermission`, {
      json: { input: `doc:${task!.id}`, params: read },
    }),
  )
  expect((await complete('bob', task!, 'ok')).status).toBe(403)
  await ok(call('PUT', `${API}/task/${task!.id}/reassign?actors=ann`, { user: 'eve' }))
  expect(await complete('eve', task!, 'ok')).toMatchObject({
    status: 403,
    json: { message: expect.stringContaining('eve may not act on task') },
  })
  expect((await call('GET', `${API}/task/${task!.id}`, { user: 'eve' })).status).toBe(404)
  expect(await workflow(id)).toMatchObject({ state: 'running' })
  await ok(complete('ann', task!, 'ok'))
  expect(await workflow(id)).toMatchObject({ state: 'done' })
})

test('who leaves a group while the end of its task waits for the workflow does not end it', async () => {
  const group = { 'entity-type': 'group', groupname: 'leavers', memberUsers: ['bob', 'eve'] }
  await ok(call('POST', `${API}/group`, { json: group }), 201)
  await ok(deploy('routes', 'left', MODEL.replace('group:reviewers', 'group:leavers')), 201)
  const { id } = await start('left', [])
  const task = await only('bob', id)
  const delegated = `${API}/task/${task.id}/delegate?delegatedActors=ann`
  const answers = await platform.database.sql.begin(async (held) => {
    await held`SELECT FROM routes WHERE id = ${id} FOR UPDATE`
    const asked = [complete('bob', task, 'ok'), call('PUT', delegated, { user: 'bob' })]
    await soon(async () => {
      const waiting = await platform.database.sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      expect(waiting).toHaveLength(2)
    })
    await ok(call('DELETE', `${API}/user/bob/group/leavers`))
    return () => Promise.all(asked)
  })
  const refused = { status: 403, json: { message: `bob may not act on task ${task.id}` } }
  expect(await answers()).toMatchObject([refused, refused])
  expect(await only('eve', id)).toMatchObject({ id: task.id, delegatedActors: [] })
  await ok(complete('eve', task, 'ok'))
})

test('who has started a workflow sees the tasks of others in it, and ends them', async () => {
  const { id } = await start('SerialDocumentReview', [await file()])
  const variables = { participants: ['bob'] }
  await ok(complete('ann', await only('ann', id), 'start_review', { variables }))
  const task = await only('bob', id)
  const listed = `${API}/task?workflowInstanceId=${id}`
  const seenBy = async (user: string) =>
    (await ok(call('GET', listed, { user }))).entries.map((entry: { id: string }) => entry.id)
  await addUser(platform, 'zoe')
  expect([await seenBy('ann'), await seenBy('bob'), await seenBy('zoe')]).toEqual([[task.id], [task.id], []])
  expect(await ok(call('GET', `${API}/task/${task.id}`, { user: 'ann' }))).toMatchObject({ id: task.id })
  expect((await call('GET', `${API}/task/${task.id}`, { user: 'zoe' })).status).toBe(404)
  // Its document is for its actors alone.
  expect((await call('GET', `${API}/id/${task.id}`, { user: 'ann' })).status).toBe(404)
  await ok(call('PUT', `${API}/task/${task.id}/reassign?actors=eve`, { user: 'ann' }))
  await ok(complete('ann', task, 'validate'))
  expect(await workflow(id)).toMatchObject({ state: 'done' })
})

test('who lets himself act on his task has nothing of it when it is taken from him', async () => {
  const group = { 'entity-type': 'group', groupname: 'clerks', memberUsers: ['bob'] }
  await ok(call('POST', `${API}/group`, { json: group }), 201)
  const granting = MODEL.replace('group:reviewers', 'group:clerks').replace(
    'hasTask: true',
    'hasTask: true\n    taskAssigneesPermission: ReadWrite',
  )
  await ok(deploy('routes', 'delegated', granting), 201)
  const document = await file()
  const { id } = await start('delegated', [document])
  const task = await only('bob', id)
  const passing = (query: string, user = 'bob') => call('PUT', `${API}/task/${task.id}/${query}`, { user })
  for (const query of ['delegatedActors=bob', 'delegatedActors=eve,user:bob'])
    expect(await passing(`delegate?${query}`)).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining(`bob has task ${task.id} by a group already`) },
    })
  // By a friend, who was let by him.
  await ok(passing('delegate?delegatedActors=eve'))
  await ok(passing('delegate?delegatedActors=eve'))
  expect((await passing('delegate?delegatedActors=bob', 'eve')).status).toBe(409)
  await ok(passing('reassign?actors=ann', 'Administrator'))
  expect(await only('ann', id)).toMatchObject({ id: task.id, delegatedActors: [] })
  for (const user of ['bob', 'eve']) {
    expect((await complete(user, task, 'ok')).status).toBe(403)
    const json = { 'entity-type': 'document', properties: { 'dc:description': `of ${user}` } }
    expect((await call('PUT', `${API}/id/${document}`, { user, json })).status).toBe(403)
  }
})

test('a task goes to nobody who does not exist', async () => {
  await ok(deploy('routes', 'passed', MODEL.replace('group:reviewers', 'ann')), 201)
  const { id } = await start('passed', [])
  const task = await only('ann', id)
  const passing = (query: string) => call('PUT', `${API}/task/${task.id}/${query}`, { user: 'ann' })
  for (const [query, message] of [
    ['reassign?actors=bob,nobody', "actors: there is neither a user nor a group 'nobody'"],
    ['reassign?actors=user:members', "actors: there is no user 'members'"],
    ['delegate?delegatedActors=group:bob', "delegatedActors: there is no group 'bob'"],
  ] as const)
    expect(await passing(query)).toMatchObject({ status: 400, json: { message } })
  expect(await only('ann', id)).toMatchObject({ actors: [{ id: 'ann' }], delegatedActors: [] })
  await ok(passing('delegate?delegatedActors=group:members'))
  await ok(passing('reassign?actors=user:bob,group:administrators'))
  expect(await only('bob', id)).toMatchObject({ id: task.id })
})

test('a workflow of which somebody may see nothing does not exist for them', async () => {
  await addUser(platform, 'yan')
  const hidden = await file()
  await ok(
    call('POST', `${API}/automation/Document.BlockPermissionInheritance`, {
      json: { input: `doc:${hidden}` },
    }),
  )
  await ok(deploy('routes', 'unseen', MODEL.replace('group:reviewers', 'bob')), 201)
  const about = await start('unseen', [hidden], { user: 'Administrator' })
  const none = '00000000-0000-4000-8000-000000000000'
  const refusals = async (user: string, id: string) => {
    const calls = [
      call('DELETE', `${API}/workflow/${id}`, { user }),
      ...Object.entries({
        'WorkflowInstance.Cancel': { id },
        'Workflow.ResumeNode': { workflowInstanceId: id, nodeId: 'ask' },
        'Workflow.SetWorkflowVariables': { id, properties: {} },
      }).map(([operation, params]) =>
        call('POST', `${API}/automation/${operation}`, { user, json: { params } }),
      ),
    ]
    return (await Promise.all(calls)).map(({ status, json }) => [status, json.message.replaceAll(id, 'ID')])
  }
  expect(await refusals('yan', about.id)).toEqual(await refusals('yan', none))
  expect((await refusals('yan', about.id)).map(([status]) => status)).toEqual([404, 404, 404, 404])
  // He has a task of it, and so knows that it is there.
  expect((await refusals('bob', about.id)).map(([status]) => status)).toEqual([403, 403, 403, 403])
  expect(await workflow(about.id)).toMatchObject({ state: 'running' })
})
