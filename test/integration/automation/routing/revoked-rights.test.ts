import { expect, test } from 'vitest'
import { addUser } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { platform, call, ok, start, tasks, complete, workflow, deploy } = await createWorkflowBench()

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
