import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { zipOf } from '../../../../core/platform/archives/index.js'
import { startAudit } from '../../../../worker/events/audit.js'
import { soon } from '../../../support/soon.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({
  ARCHIVOLT_ESCALATION_SECONDS: '1',
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})
const { call, ok, start, tasks, complete, workflow, document, file, deploy } = bench

const only = async (user: string, id: string) => {
  const found = await tasks(user, id)
  expect(found).toHaveLength(1)
  return found[0]
}

const zipped = async (files: { [name: string]: string }): Promise<Uint8Array> => {
  const entries = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text)
    return { name, length: bytes.length, open: async () => Readable.from([bytes]) }
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of zipOf(entries)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('the serial review', () => {
  test('goes from one participant to the next, and approves the document', async () => {
    const id = await file()
    const started = await start('SerialDocumentReview', [id])
    expect(started).toMatchObject({
      state: 'running',
      workflowModelName: 'SerialDocumentReview',
      initiator: 'ann',
      attachedDocumentIds: [{ id }],
      variables: { index: 0, validationOrReview: 'validation' },
    })
    const choose = await only('ann', started.id)
    expect(choose).toMatchObject({
      state: 'opened',
      nodeName: 'Task38e',
      actors: [{ id: 'ann' }],
      variables: { participants: [], validationOrReview: 'validation', comment: null },
      taskInfo: { taskActions: [{ name: 'cancel', validate: false }, { name: 'start_review' }] },
    })
    const variables = { participants: ['user:bob', 'user:eve'] }
    const ended = await ok(complete('ann', choose, 'start_review', { comment: 'please', variables }))
    expect(ended).toMatchObject({ state: 'ended', comments: [{ author: 'ann', text: 'please' }] })
    const first = await only('bob', started.id)
    expect(first.nodeName).toBe('Task6d8')
    const retitle = () =>
      call('PUT', `${API}/id/${id}`, {
        user: 'bob',
        json: { 'entity-type': 'document', properties: { 'dc:title': 'read' } },
      })
    await ok(retitle())
    expect(await tasks('eve', started.id)).toEqual([])
    await ok(complete('bob', first, 'validate'))
    expect((await retitle()).status).toBe(403)
    await ok(complete('eve', await only('eve', started.id), 'validate'))
    expect(await workflow(started.id)).toMatchObject({
      state: 'done',
      variables: { index: 2, initiatorComment: 'please' },
    })
    expect(await document(id)).toMatchObject({ state: 'approved', isCheckedOut: false })
    await bench.statusInTemporal(started.id, 'COMPLETED')
  })

  test('goes back when somebody rejects, and to its initiator when the first one does', async () => {
    const started = await start('SerialDocumentReview', [await file()])
    const variables = { participants: ['bob', 'eve'] }
    await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
    await ok(complete('bob', await only('bob', started.id), 'validate'))
    await ok(complete('eve', await only('eve', started.id), 'reject'))
    await ok(complete('bob', await only('bob', started.id), 'reject'))
    const update = await only('ann', started.id)
    expect(update.nodeName).toBe('Task542')
    await ok(complete('ann', update, 'submit'))
    expect((await only('bob', started.id)).nodeName).toBe('Task6d8')
  })
})

test('the parallel review collects opinions, and its initiator decides', async () => {
  const id = await file()
  const started = await start('ParallelDocumentReview', [id])
  const variables = { participants: ['bob', 'eve'], end_date: '2030-01-01T00:00:00.000Z' }
  await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
  expect((await only('bob', started.id)).dueDate).toBe('2030-01-01T00:00:00.000Z')
  await ok(complete('bob', await only('bob', started.id), 'approve', { comment: 'good <b>' }))
  expect(await tasks('ann', started.id)).toEqual([])
  await ok(complete('eve', await only('eve', started.id), 'NA'))
  const consolidate = await only('ann', started.id)
  expect(consolidate).toMatchObject({
    nodeName: 'Task2169',
    variables: { review_result: '<ul><li>bob: approve - good &#60;b&#62;</li><li>eve: NA</li></ul>' },
  })
  await ok(complete('ann', consolidate, 'validate'))
  expect(await workflow(started.id)).toMatchObject({ state: 'done' })
  expect(await document(id)).toMatchObject({ state: 'approved' })
})

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

  test('names variables and buttons that it does not have, and takes any word for a button', async () => {
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

describe('a workflow', () => {
  test('is cancelled by its initiator, with its tasks, and by nobody else', async () => {
    const id = await file()
    const started = await start('ParallelDocumentReview', [id])
    const task = await only('ann', started.id)
    expect((await call('DELETE', `${API}/workflow/${started.id}`, { user: 'eve' })).status).toBe(403)
    await ok(call('DELETE', `${API}/workflow/${started.id}`, { user: 'ann' }), 204)
    expect(await workflow(started.id)).toMatchObject({ state: 'canceled' })
    expect(await ok(call('GET', `${API}/task/${task.id}`))).toMatchObject({ state: 'cancelled' })
    await bench.statusInTemporal(started.id, 'CANCELLED')
    expect((await call('DELETE', `${API}/workflow/${started.id}`, { user: 'ann' })).status).toBe(409)
  })

  test('is started on documents that its model is for', async () => {
    const unknown = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentRevie' }
    expect(await call('POST', `${API}/workflow`, { json: unknown })).toMatchObject({
      status: 404,
      json: { message: expect.stringContaining('SerialDocumentReview') },
    })
    const id = await file()
    const wanted = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }
    expect((await call('POST', `${API}/id/${id}/@workflow`, { user: 'bob', json: wanted })).status).toBe(403)
    await ok(call('POST', `${API}/id/${id}/@workflow`, { user: 'ann', json: wanted }), 201)
    await ok(
      call('POST', `${API}/automation/Document.FollowLifecycleTransition`, {
        json: { input: `doc:${id}`, params: { value: 'approve' } },
      }),
    )
    expect(await call('POST', `${API}/id/${id}/@workflow`, { user: 'ann', json: wanted })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('cannot be started') },
    })
  })

  test('is drawn, with its model', async () => {
    const started = await start('SerialDocumentReview', [await file()])
    const graph = await ok(call('GET', `${API}/workflow/${started.id}/graph`, { user: 'ann' }))
    expect(graph.nodes.find((node: { id: string }) => node.id === 'Task38e')).toMatchObject({
      isStartNode: false,
      state: 'suspended',
      x: 60,
      y: 200,
    })
    expect(graph.transitions).toContainEqual(
      expect.objectContaining({ nodeSourceId: 'Task542', nodeTargetId: 'Task6d8', label: 'submit' }),
    )
    const { text, headers } = await call('GET', `${API}/workflow/${started.id}/diagram`)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(text).toContain('>Task542: task</text>')
    const models = await ok(call('GET', `${API}/workflowModel`))
    expect(models.entries.map(({ name }: { name: string }) => name)).toEqual([
      'SerialDocumentReview',
      'ParallelDocumentReview',
    ])
    expect((await ok(call('GET', `${API}/workflowModel/ParallelDocumentReview/graph`))).nodes).toHaveLength(7)
    expect((await call('GET', `${API}/workflowModel/none`)).status).toBe(404)
  })

  test('goes on after its worker was replaced, and keeps the model with which it began', async () => {
    const model = (title: string, target: string) => `title: ${title}
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    transitions: [{ name: go, targetId: ${target} }]
  ${target}: { stop: true }
`
    await ok(deploy('routes', 'kept', model('first', 'end')), 201)
    const started = await start('kept', [])
    await ok(deploy('routes', 'kept', model('second', 'other')), 200)
    await bench.restartWorker()
    await ok(complete('ann', await only('ann', started.id), 'ok'))
    expect(await workflow(started.id)).toMatchObject({ state: 'done', title: 'first' })
  })

  test('is refused with line and column where its model names what is not there', async () => {
    const text = 'nodes:\n  a:\n    start: true\n    stop: true\n    inputChain: nowhere\n'
    expect(await deploy('routes', 'broken', text)).toMatchObject({
      status: 422,
      json: { details: [{ line: 5, column: 17, message: expect.stringContaining('nowhere') }] },
    })
  })
})

describe('escalation', () => {
  const escalating = (rules: string, due: string) => `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    variables: { reminded: { type: integer, default: 0 } }
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    taskDueDateExpr: ${due}
    escalationRules:
${rules}
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`
  const REMIND =
    'operations:\n- Workflow.SetNodeVariable: { name: reminded, value: "expr:NodeVariables[\\"reminded\\"] + 1" }\n'

  const escalations = async (id: string) =>
    (await ok(call('GET', `${API}/workflow/${id}/escalations`, { user: 'ann' }))).entries

  test('executes a rule once at its moment, another again and again, and lists both', async () => {
    await ok(deploy('chains', 'remind', REMIND), 201)
    const rules = `    - { name: once, condition: WorkflowFn.timeSinceDueDateIsOver() >= 200, chain: remind }
    - { name: often, condition: "timeSinceTaskWasStarted() > 10", multipleExecution: true, chain: remind }`
    await ok(deploy('routes', 'reminding', escalating(rules, 'CurrentDate')), 201)
    const started = await start('reminding', [])
    await soon(async () => expect((await escalations(started.id)).length).toBeGreaterThan(2))
    const listed = await escalations(started.id)
    expect(listed.filter(({ rule }: { rule: string }) => rule === 'once')).toMatchObject([
      { node: 'ask', error: null },
    ])
    const task = await only('ann', started.id)
    expect(task.variables.reminded).toBeGreaterThanOrEqual(3)
    await ok(complete('ann', task, 'ok'))
    const after = await escalations(started.id)
    const reminded = after.length
    await bench.statusInTemporal(started.id, 'COMPLETED')
    expect(await escalations(started.id)).toHaveLength(reminded)
  })

  test('resumes the node, and lists what has failed', async () => {
    await ok(deploy('chains', 'failing', 'operations:\n- Repository.GetDocument: { value: /nowhere }\n'), 201)
    const rules = `    - { name: a-fails, condition: timeSinceDueDateIsOver() >= 0, chain: failing }
    - { name: b-resumes, condition: timeSinceDueDateIsOver() >= 0, chain: reviewResumeNode }`
    await ok(deploy('routes', 'forcing', escalating(rules, 'CurrentDate')), 201)
    const started = await start('forcing', [])
    await soon(async () => expect(await workflow(started.id)).toMatchObject({ state: 'done' }))
    expect(await escalations(started.id)).toMatchObject([
      { rule: 'b-resumes', error: null },
      { rule: 'a-fails', error: expect.stringContaining('nowhere') },
    ])
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

test('a node waits for its sub-workflow, and goes with its variables', async () => {
  const inner = `variables: { told: {} }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask: { hasTask: true, taskAssigneesExpr: 'WorkflowVariables["told"]', transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
  const outer = `nodes:
  begin:
    start: true
    subRouteModelExpr: inner
    subRouteVariables: [{ key: told, value: expr:workflowInitiator }]
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`
  await ok(deploy('routes', 'inner', inner), 201)
  await ok(deploy('routes', 'outer', outer), 201)
  const started = await start('outer', [])
  const [task] = (await ok(call('GET', `${API}/task?userId=ann&workflowModelName=inner`, { user: 'ann' })))
    .entries
  expect(await workflow(started.id)).toMatchObject({ state: 'running' })
  await ok(complete('ann', task, 'ok'))
  expect(await workflow(started.id)).toMatchObject({ state: 'done' })
  await bench.statusInTemporal(started.id, 'COMPLETED')
})

test('its events are audited with what they carry', async () => {
  const stopAudit = startAudit(bench.platform)
  const id = await file()
  const started = await start('SerialDocumentReview', [id])
  const task = await only('ann', started.id)
  await ok(complete('ann', task, 'cancel', { comment: 'no' }))
  const history = async (document: string) =>
    (await ok(call('GET', `${API}/id/${document}/@audit?pageSize=100&category=Routing`))).entries
  await soon(async () => {
    const found = [...(await history(started.id)), ...(await history(task.id)), ...(await history(id))]
    expect(found.map(({ eventId }) => eventId)).toEqual([
      'afterWorkflowFinish',
      'afterWorkflowStarted',
      'afterWorkflowTaskEnded',
      'afterWorkflowTaskCreated',
      'workflowTaskCompleted',
      'workflowTaskAssigned',
    ])
    expect(found[0].extended).toMatchObject({
      modelName: 'SerialDocumentReview',
      workflowInitiator: 'ann',
      timeSinceWfStarted: expect.any(Number),
    })
    expect(found[2]).toMatchObject({
      docUUID: task.id,
      principalName: 'ann',
      extended: { action: 'cancel', taskName: 'Task38e', taskActor: 'ann', workflowVariables: { index: 0 } },
    })
    expect(found[5].extended).toMatchObject({ directive: task.directive })
  })
  await stopAudit()
})

describe('operators', () => {
  const model = (first: string) => `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ${first} }] }
  ${first}: { hasTask: true, taskAssigneesExpr: workflowInitiator, transitions: [{ name: go, targetId: end }] }
  end: { stop: true, title: new }
`

  test('find workflows that nobody follows, and have them followed again', async () => {
    const started = await start('SerialDocumentReview', [await file()])
    await bench.client.workflow.getHandle(`route/${started.id}`).terminate()
    const stuck = async () =>
      (await ok(call('GET', `${API}/workflowRun?stuck=true`))).entries.filter(
        ({ id }: { id: string }) => id === started.id,
      )
    await soon(async () => expect(await stuck()).toMatchObject([{ isFollowed: false, nodes: ['Task38e'] }]))
    await ok(call('POST', `${API}/workflowRun/${started.id}/retry`), 202)
    await bench.statusInTemporal(started.id, 'RUNNING')
    await soon(async () => expect(await stuck()).toEqual([]))
  })

  test('let a workflow go on by the newest model, where it can', async () => {
    await ok(deploy('routes', 'migrated', model('ask')), 201)
    const started = await start('migrated', [])
    const migrate = (query = '') => call('POST', `${API}/workflowRun/${started.id}/migrate${query}`)
    await ok(deploy('routes', 'migrated', model('other')), 200)
    const obstacles = [expect.stringContaining('it waits at ask')]
    expect(await ok(migrate('?dryRun=true'))).toMatchObject({ isDryRun: true, obstacles })
    expect((await migrate()).status).toBe(409)
    await ok(deploy('routes', 'migrated', `title: third\n${model('ask')}`), 200)
    expect(await ok(migrate())).toMatchObject({ obstacles: [] })
    expect(await workflow(started.id)).toMatchObject({ title: 'third', state: 'running' })
  })

  test('deploy a model that the reference platform has exported', async () => {
    const document = (type: string, name: string, more: string) =>
      `<document><system><type>${type}</type><path>m/${name}</path></system>${more}</document>`
    const node = (fields: string) =>
      `<schema xmlns:rnode="http://x/rnode" name="route_node">${fields}</schema>`
    const zip = await zipped({
      'exported/document.xml': document('DocumentRoute', 'exported', ''),
      'exported/a/document.xml': document(
        'RouteNode',
        'a',
        node('<rnode:start>true</rnode:start><rnode:stop>true</rnode:stop>'),
      ),
    })
    const headers = { 'Content-Type': 'application/zip' }
    const body = { body: zip, headers }
    expect(await ok(call('POST', `${API}/workflowModel`, body), 201)).toMatchObject({ name: 'exported' })
    expect(await start('exported', [])).toMatchObject({ state: 'done' })
    expect((await call('POST', `${API}/workflowModel`, { body: 'no', headers })).status).toBe(400)
  })
})
