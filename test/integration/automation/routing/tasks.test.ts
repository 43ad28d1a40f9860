import { describe, expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({
  ARCHIVOLT_ESCALATION_SECONDS: '1',
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})
const { call, ok, start, tasks, only, complete, workflow, document, file, deploy } = bench

describe('a task', () => {
  const begun = async () => {
    const started = await start('SerialDocumentReview', [await file()])
    const variables = { participants: ['bob'] }
    await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
    return { id: started.id, task: await only('bob', started.id) }
  }

  test('is notified of by mail, as far as its actors have an address', async () => {
    const properties = { email: 'eve@example.com' }
    await ok(call('PUT', `${API}/user/eve`, { json: { 'entity-type': 'user', id: 'eve', properties } }))
    const started = await start('SerialDocumentReview', [await file()])
    const variables = { participants: ['eve'] }
    await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
    const params = {
      'task name': 'look',
      'additional list of actors prefixed ids': ['nobody@outside.example', 'transient/x@outside.example'],
    }
    const json = { input: `doc:${await file()}`, params }
    await ok(call('POST', `${API}/automation/Task.Create`, { user: 'ann', json }))
    const mails = await bench.platform.database.sql<{ message: { bcc: string[]; body: string } }[]>`
      SELECT message FROM mails`
    expect(mails.map(({ message }) => message)).toMatchObject([
      {
        bcc: ['eve@example.com'],
        body: expect.stringMatching(
          /You have the task "wf\.serialDocumentReview\.validate" on "archivolt_file/,
        ),
      },
    ])
  })

  test('that two people end at once is ended once', async () => {
    const { id, task } = await begun()
    await ok(call('PUT', `${API}/task/${task.id}/delegate?delegatedActors=eve`, { user: 'bob' }))
    const answers = await Promise.all(['bob', 'eve'].map((user) => complete(user, task, 'validate')))
    const said = answers.map(({ text }) => text).join('\n')
    expect(answers.map(({ status }) => status).sort(), said).toEqual([200, 409])
    expect(await workflow(id)).toMatchObject({ state: 'done', variables: { index: 1 } })
  })

  test('is ended by a delegate, too', async () => {
    const { id, task } = await begun()
    await ok(call('PUT', `${API}/task/${task.id}/delegate?delegatedActors=eve`, { user: 'bob' }))
    await ok(complete('eve', task, 'validate'))
    expect(await workflow(id)).toMatchObject({ state: 'done' })
  })

  test('is for its actors alone', async () => {
    const { task } = await begun()
    expect((await complete('eve', task, 'validate')).status).toBe(404)
    expect((await call('GET', `${API}/task/${task.id}`, { user: 'eve' })).status).toBe(404)
  })

  test('moves nothing by a button that leads nowhere', async () => {
    const started = await start('SerialDocumentReview', [await file()])
    const choose = await only('ann', started.id)
    const answer = await complete('ann', choose, 'nowhere', { variables: { participants: ['eve'] } })
    const message =
      'No transition of node Task38e is true after the button "nowhere": its buttons are cancel, start_review'
    expect(answer).toMatchObject({ status: 500, json: { message } })
    expect(await only('ann', started.id)).toMatchObject({ id: choose.id, variables: { participants: [] } })
  })

  test('is reassigned where its node allows it, and delegated everywhere', async () => {
    const { id, task } = await begun()
    const to = `${API}/task/${task.id}`
    expect((await call('PUT', `${to}/reassign?actors=eve`, { user: 'bob' })).text).toBe('')
    expect(await tasks('bob', id)).toEqual([])
    expect(await only('eve', id)).toMatchObject({ actors: [{ id: 'eve' }] })
    await ok(call('PUT', `${to}/delegate?delegatedActors=user:bob&comment=help`, { user: 'eve' }), 200)
    expect(await only('bob', id)).toMatchObject({
      delegatedActors: [{ id: 'user:bob' }],
      comments: [{ author: 'eve', text: 'help' }],
    })
    const started = await start('SerialDocumentReview', [await file()])
    const fixed = await only('ann', started.id)
    expect((await call('PUT', `${API}/task/${fixed.id}/reassign?actors=bob`, { user: 'ann' })).status).toBe(
      409,
    )
  })

  test('is listed by its document, by model, and by the enrichers', async () => {
    const id = await file()
    const started = await start('SerialDocumentReview', [id])
    const byDocument = await ok(call('GET', `${API}/id/${id}/@task`, { user: 'ann' }))
    const byWorkflow = await ok(call('GET', `${API}/id/${id}/@workflow/${started.id}/task`, { user: 'ann' }))
    expect(byDocument.entries.map((task: { id: string }) => task.id)).toEqual(
      byWorkflow.entries.map((task: { id: string }) => task.id),
    )
    const byModel = await ok(
      call('GET', `${API}/task?workflowModelName=ParallelDocumentReview`, { user: 'eve' }),
    )
    expect(byModel.entries).toEqual([])
    const running = await ok(call('GET', `${API}/id/${id}/@workflow`, { user: 'ann' }))
    expect(running.entries).toMatchObject([{ id: started.id, title: started.title }])
    const headers = { 'enrichers-document': 'pendingTasks,runningWorkflows,runnableWorkflows' }
    const { contextParameters } = await ok(call('GET', `${API}/id/${id}`, { user: 'ann', headers }))
    expect(contextParameters).toMatchObject({
      pendingTasks: [{ nodeName: 'Task38e' }],
      runningWorkflows: [{ id: started.id }],
      runnableWorkflows: [{ name: 'SerialDocumentReview' }, { name: 'ParallelDocumentReview' }],
    })
    const fetched = await ok(
      call('GET', `${API}/task/${byDocument.entries[0].id}`, {
        user: 'ann',
        headers: { 'fetch-task': 'actors,targetDocumentIds,workflowInitiator' },
      }),
    )
    expect(fetched).toMatchObject({
      actors: [{ 'entity-type': 'user', id: 'ann' }],
      targetDocumentIds: [{ 'entity-type': 'document', uid: id }],
      workflowInitiator: { 'entity-type': 'user' },
    })
  })
})

describe('operations', () => {
  const operation = (
    id: string,
    { user = 'ann', ...json }: { user?: string; input?: string; params?: object },
  ) => call('POST', `${API}/automation/${id}`, { user, json })

  test('start a workflow that its own worker follows, and end its tasks', async () => {
    const id = await file()
    const params = { id: 'SerialDocumentReview', variables: { validationOrReview: '"review"' } }
    await ok(operation('Context.StartWorkflow', { input: `doc:${id}`, params }))
    const [started] = (await ok(call('GET', `${API}/id/${id}/@workflow`, { user: 'ann' }))).entries
    expect(started.variables.validationOrReview).toBe('review')
    await bench.statusInTemporal(started.id, 'RUNNING')
    const open = await ok(operation('Workflow.GetOpenTasks', { input: `doc:${id}` }))
    const [task] = open.entries
    const asked = { nodeId: 'Task38e', processId: started.id, username: 'ann' }
    const narrowed = await ok(operation('Workflow.GetOpenTasks', { input: `doc:${id}`, params: asked }))
    expect(narrowed.entries).toHaveLength(1)
    const half = { nodeId: 'Task38e' }
    expect((await operation('Workflow.GetOpenTasks', { input: `doc:${id}`, params: half })).status).toBe(400)
    const page = await ok(operation('Workflow.UserTaskPageProvider', { params: { pageSize: 1000 } }))
    expect(page.entries).toContainEqual(
      expect.objectContaining({ id: task.uid, docref: id, workflowModelName: 'SerialDocumentReview' }),
    )
    const assigned = await ok(operation('Task.GetAssigned', {}))
    expect(assigned.map((item: { id: string }) => item.id)).toContain(task.uid)
    const names = async (params: object) =>
      (await ok(operation('Context.GetTaskNames', { params }))).entries.map(
        (task: { title: string }) => task.title,
      )
    const chosen = 'wf.serialDocumentReview.chooseParticipants'
    const labelled = `[wf.serialDocumentReview.SerialDocumentReview] ${chosen}`
    expect(await names({ searchTerm: chosen.slice(0, -3) })).toEqual([labelled])
    expect(await names({ value: chosen })).toEqual([labelled])
    expect(await names({ value: chosen.slice(0, -3) })).toEqual([])
    const graph = await ok(operation('Document.Routing.GetGraph', { params: { routeDocId: started.id } }))
    expect(graph.nodes).toHaveLength(5)
    const completion = { status: 'start_review', workflowVariables: { participants: 'bob,eve' } }
    await ok(operation('WorkflowTask.Complete', { input: `doc:${task.uid}`, params: completion }))
    expect((await workflow(started.id)).variables).toMatchObject({ participants: ['bob', 'eve'] })
    await soon(async () => {
      const { searchAttributes } = await bench.client.workflow.getHandle(`route/${started.id}`).describe()
      expect(searchAttributes).toMatchObject({
        RouteModel: ['SerialDocumentReview'],
        Node: ['Task6d8'],
        Assignee: ['bob'],
        DueDate: [expect.any(Date)],
      })
    })
  })

  test('resume, change and cancel a workflow, for its initiator and administrators', async () => {
    const { id } = await start('SerialDocumentReview', [await file()])
    const set = { name: 'initiatorComment', value: 'set', workflowInstanceId: id }
    expect((await operation('Context.SetWorkflowVar', { user: 'eve', params: set })).status).toBe(403)
    await ok(operation('Context.SetWorkflowVar', { params: set }), 204)
    const properties = { participants: '["bob"]' }
    await ok(operation('Workflow.SetWorkflowVariables', { params: { id, properties } }), 204)
    expect((await workflow(id)).variables).toMatchObject({ initiatorComment: 'set', participants: ['bob'] })
    const resumed = { workflowInstanceId: id, nodeId: 'Task5c1' }
    expect((await operation('Workflow.ResumeNode', { params: resumed })).status).toBe(409)
    expect((await operation('Workflow.ResumeNode', {})).status).toBe(400)
    await ok(operation('WorkflowInstance.Cancel', { params: { id } }), 204)
    expect((await workflow(id)).state).toBe('canceled')
    expect((await operation('WorkflowInstance.Cancel', { params: { id: 'none' } })).status).toBe(404)
  })

  test('create tasks of their own, whose end runs a chain with the rights of who ends them', async () => {
    const id = await file()
    const RETITLE = 'operations:\n- Document.SetProperty: { xpath: dc:title, value: accepted }\n'
    await ok(deploy('chains', 'accept-it', RETITLE), 201)
    const params = {
      'task name': 'read it',
      'accept operation chain': 'accept-it',
      'additional list of actors prefixed ids': ['user:bob', 'user:ann'],
    }
    await ok(operation('Task.Create', { input: `doc:${id}`, params }))
    const { entries } = await ok(call('GET', `${API}/id/${id}/@task`))
    expect(entries.map((task: { actors: object[] }) => task.actors)).toEqual(
      expect.arrayContaining([[{ id: 'user:bob' }], [{ id: 'user:ann' }]]),
    )
    const taskOf = (user: string) =>
      entries.find((task: { actors: { id: string }[] }) => task.actors[0]?.id === `user:${user}`)
    expect((await complete('bob', taskOf('bob'), 'accept')).status).toBe(403)
    await ok(complete('ann', taskOf('ann'), 'accept'))
    expect((await document(id)).title).toBe('accepted')
  })
})

test('a task names variables and buttons that it does not have, and takes any word for a button', async () => {
  const start = (variables: object) =>
    call('POST', `${API}/workflow`, {
      user: 'ann',
      json: { 'entity-type': 'workflow', workflowModelName: 'unsure', variables },
    })
  const model = `
variables: {reviewer: {}}
nodes:
  begin: {start: true, transitions: [{name: go, targetId: review}]}
  review:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    taskButtons: [{name: approve}, {name: reject}]
    transitions: [{name: go, targetId: end, condition: 'NodeVariables["button"] != "never"'}]
  end: {stop: true}
`
  await ok(deploy('routes', 'unsure', model), 201)
  const warningOf = ({ headers }: { headers: Headers }) => headers.get('Archivolt-Warning')
  const exact = await start({ reviewer: 'bob' })
  expect([exact.status, warningOf(exact)]).toEqual([201, null])
  const started = await start({ reviewr: 'bob' })
  expect([started.status, warningOf(started)]).toEqual([
    201,
    'the workflow takes no variable "reviewr", which is ignored, did you mean "reviewer"?',
  ])
  const task = await only('ann', started.json.id)
  const buttons = (word: string) => `the task has no button "${word}"; its buttons are approve, reject`
  const stopped = await complete('ann', task, 'never')
  expect([stopped.status, warningOf(stopped)]).toEqual([500, buttons('never')])
  const ended = await complete('ann', task, 'aprove', { variables: { coment: 'fine', comment: 'fine' } })
  expect([ended.status, warningOf(ended)]).toEqual([
    200,
    `${buttons('aprove')}; the task takes no variable "coment", which is ignored, did you mean "comment"?`,
  ])
  const last = await only('ann', exact.json.id)
  expect(warningOf(await complete('ann', last, 'approve', { comment: 'fine' }))).toBeNull()
})
