import { describe, expect, test } from 'vitest'
import { startAudit } from '../../../../worker/events/audit.js'
import { soon } from '../../../support/soon.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({
  ARCHIVOLT_ESCALATION_SECONDS: '1',
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})
const { call, ok, start, tasks, only, complete, workflow, document, file, deploy } = bench

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

describe('a workflow', () => {
  test('is started on documents by their paths, and is theirs as by their ids', async () => {
    const id = await file()
    const { path } = await document(id)
    const started = await start('SerialDocumentReview', [path])
    expect(started.attachedDocumentIds).toEqual([{ id }])
    expect((await only('ann', started.id)).targetDocumentIds).toMatchObject([{ id }])
    const { entries } = await ok(call('GET', `${API}/id/${id}/@workflow`, { user: 'ann' }))
    expect(entries.map((entry: { id: string }) => entry.id)).toEqual([started.id])
    const json = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }
    const missing = { ...json, attachedDocumentIds: ['/not-there'] }
    await ok(call('POST', `${API}/workflow`, { user: 'ann', json: missing }), 404)
  })

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

  test('names in its tasks the schemas of what they show, which are described', async () => {
    const { id } = await start('SerialDocumentReview', [await file()])
    const [task] = await tasks('ann', id)
    const { schemas } = task!.taskInfo
    expect(schemas.map(({ name }: { name: string }) => name)).toEqual([
      'var_SerialDocumentReview_Task38e',
      'var_global_SerialDocumentReview_Task38e',
    ])
    const described = schemas.map(({ url }: { url: string }) => ok(call('GET', new URL(url).pathname)))
    expect((await Promise.all(described)).map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ comment: 'string' }),
      { participants: 'string[]', validationOrReview: 'string' },
    ])
    expect((await call('GET', `${API}/config/schemas/var_SerialDocumentReview_none`)).status).toBe(404)
  })

  test('is drawn with labels of the language that is asked for, as far as its model has them', async () => {
    const model = `labels:
  fr: { ask.title: Votre avis, ok: Accepter }
  de: { ask.title: Ihre Meinung }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    title: ask.title
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    transitions: [{ name: ok, targetId: end }, { name: no, label: refuse, targetId: end }]
  end: { stop: true }
`
    await ok(deploy('routes', 'labelled', model), 201)
    const { id } = await start('labelled', [])
    const drawn = async (path: string, language: string) => {
      const graph = await ok(call('GET', `${API}${path}/graph`, { headers: { 'Accept-Language': language } }))
      return [
        graph.nodes.find((node: { id: string }) => node.id === 'ask').title,
        ...graph.transitions
          .filter(({ nodeSourceId }: { nodeSourceId: string }) => nodeSourceId === 'ask')
          .map(({ label }: { label: string }) => label),
      ]
    }
    const french = ['Votre avis', 'Accepter', 'refuse']
    expect(await drawn(`/workflow/${id}`, 'fr-FR, de;q=0.5')).toEqual(french)
    expect(await drawn(`/workflow/${id}`, 'de, fr;q=0.5')).toEqual(['Ihre Meinung', 'Accepter', 'refuse'])
    expect(await drawn('/workflowModel/labelled', 'es')).toEqual(['ask.title', 'ok', 'refuse'])
    const params = { routeDocId: id, language: 'fr_FR' }
    const getGraph = `${API}/automation/Document.Routing.GetGraph`
    const { nodes } = await ok(call('POST', getGraph, { user: 'ann', json: { params } }))
    expect(nodes.find((node: { id: string }) => node.id === 'ask').title).toBe('Votre avis')
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

  test('transitions know what its chain has set before it moves the workflow, and its end undoes nothing', async () => {
    const set = `operations:
- Context.SetWorkflowVar: { name: level, value: 2 }
- Workflow.SetNodeVariable: { name: reminded, value: 7 }
`
    await ok(
      deploy('chains', 'raise', 'operations:\n- Context.SetWorkflowVar: { name: level, value: 3 }\n'),
      201,
    )
    const ways = {
      resuming: '- Workflow.ResumeNode: {}\n',
      nesting: '- RunOperation: { id: reviewResumeNode }\n',
      ending: `- Repository.GetDocument: { value: 'expr:NodeVariables["tasks"][0].taskId' }
- WorkflowTask.Complete: { status: forced }
`,
    }
    for (const [way, step] of Object.entries(ways)) {
      await ok(deploy('chains', way, set + step), 201)
      const model = `variables: { level: { type: integer, default: 0 }, reached: {} }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    variables: { reminded: { type: integer, default: 0 } }
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    executeOnlyFirstTransition: true
    escalationRules: [{ name: late, condition: 'true', chain: ${way} }]
    transitions:
    - { name: seen, targetId: director, condition: 'WorkflowVariables["level"] == 2 && NodeVariables["reminded"] == 7' }
    - { name: unseen, targetId: end }
  director: { inputChain: raise, hasTask: true, taskAssigneesExpr: workflowInitiator, transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
      await ok(deploy('routes', `${way}-route`, model), 201)
      const started = await start(`${way}-route`, [])
      await soon(async () => expect(await only('ann', started.id)).toMatchObject({ nodeName: 'director' }))
      expect(await workflow(started.id)).toMatchObject({ state: 'running', variables: { level: 3 } })
    }
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

test.each([
  ['after expr:', 'after', `'expr:WorkflowVariables["model"]'`],
  ['in @{}', 'wrapped', `'@{WorkflowVariables["model"]}'`],
])('a sub-workflow is named by an expression %s', async (_, name, expression) => {
  const nodes = (more: string) =>
    `nodes: { begin: { start: true, ${more} transitions: [{ name: go, targetId: end }] }, end: { stop: true } }\n`
  const outer = `variables: { model: { default: inner-${name} } }\n${nodes(`subRouteModelExpr: ${expression},`)}`
  await ok(deploy('routes', `inner-${name}`, nodes('')), 201)
  await ok(deploy('routes', `outer-${name}`, outer), 201)
  expect(await start(`outer-${name}`, [])).toMatchObject({ state: 'done' })
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
