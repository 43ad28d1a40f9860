import { expect, test } from 'vitest'
import { startAudit } from '../../../../worker/events/audit.js'
import { soon } from '../../../support/soon.js'
import type { Entity } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const bench = await createWorkflowBench({ ARCHIVOLT_ESCALATION_SECONDS: '3600' })
const { call, ok, start, tasks, complete, file, deploy } = bench

const only = async (user: string, id: string): Promise<Entity> => {
  const found = await tasks(user, id)
  expect(found).toHaveLength(1)
  return found[0]!
}

const RULES = `    - { name: a-fails, label: It fails, condition: timeSinceDueDateIsOver() >= 0, chain: broken }
    - { name: b-works, label: It works, condition: timeSinceDueDateIsOver() >= 0, chain: voidChain }`

const model = (rules: string) => `title: Escalated
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssigneesExpr: workflowInitiator
    taskDirective: Please answer
    allowTaskReassignment: true
    escalationRules: [${rules}]
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

test('a rule that was executed, and one that has failed, are in the audit and in Temporal', async () => {
  const stopAudit = startAudit(bench.platform)
  await ok(deploy('chains', 'broken', 'operations:\n- Repository.GetDocument: { value: /nowhere }\n'), 201)
  await ok(deploy('routes', 'escalated', model('').replace('[]', `\n${RULES}`)), 201)
  const started = await start('escalated', [await file()])
  const escalated = async () =>
    (await ok(call('GET', `${API}/id/${started.id}/@audit?eventId=afterWorkflowEscalated`))).entries
  await soon(async () => expect(await escalated()).toHaveLength(2))
  const about = { modelId: 'escalated', modelName: 'escalated', workflowInitiator: 'ann', taskName: 'ask' }
  const measured = { timeSinceWfStarted: expect.any(Number), timeSinceTaskStarted: expect.any(Number) }
  expect((await escalated()).map(({ extended }: Entity) => extended)).toMatchObject([
    {
      ...about,
      ...measured,
      rule: 'b-works',
      ruleLabel: 'It works',
      chain: 'voidChain',
      outcome: 'executed',
    },
    { ...about, ...measured, rule: 'a-fails', outcome: 'failed', error: expect.stringContaining('nowhere') },
  ])
  expect((await escalated())[0]).toMatchObject({ category: 'Routing', principalName: 'system' })
  const handle = bench.client.workflow.getHandle(`route/${started.id}`)
  await soon(async () =>
    expect((await handle.describe()).searchAttributes).toMatchObject({
      Escalation: ['ask: a-fails failed', 'ask: b-works'],
      Node: ['ask'],
      Assignee: ['ann'],
    }),
  )
  const found: string[] = []
  const query = "Escalation = 'ask: a-fails failed'"
  for await (const { workflowId } of bench.client.workflow.list({ query })) found.push(workflowId)
  expect(found).toContain(`route/${started.id}`)
  const details = await handle.query<string>('__temporal_workflow_metadata')
  expect(JSON.stringify(details)).toMatch(/Escalation of ask: b-works, executed 1 times, last at 20/)
  expect(JSON.stringify(details)).toMatch(/Escalation of ask: a-fails, failed at 20/)
  await stopAudit()
})

test('who had a task, who gets it and how a workflow ends are in the audit', async () => {
  const stopAudit = startAudit(bench.platform)
  await ok(deploy('routes', 'audited', model('')), 201)
  const id = await file()
  const started = await start('audited', [id])
  const task = await only('ann', started.id)
  const to = `${API}/task/${task.id}`
  await ok(call('PUT', `${to}/reassign?actors=bob&comment=yours`, { user: 'ann' }))
  await ok(call('PUT', `${to}/delegate?delegatedActors=eve&comment=help`, { user: 'bob' }))
  await ok(call('DELETE', `${API}/workflow/${started.id}`, { user: 'ann' }), 204)
  const audited = async (document: string, eventId: string) =>
    (await ok(call('GET', `${API}/id/${document}/@audit?eventId=${eventId}`))).entries
  const about = {
    ...{ modelId: 'audited', modelName: 'audited', workflowInitiator: 'ann', taskName: 'ask' },
    ...{ timeSinceWfStarted: expect.any(Number), timeSinceTaskStarted: expect.any(Number) },
  }
  const reported = { directive: 'Please answer', dueDate: task.dueDate }
  const expected: [string, string, object][] = [
    [
      task.id,
      'afterWorkflowTaskReassigned',
      { ...about, taskActor: 'ann', actors: ['bob'], comment: 'yours' },
    ],
    [
      task.id,
      'afterWorkflowTaskDelegated',
      { ...about, taskActor: 'bob', delegatedActors: ['eve'], comment: 'help' },
    ],
    [id, 'workflowTaskAssigned', reported],
    [id, 'workflowTaskReassigned', reported],
    [id, 'workflowTaskDelegated', reported],
    [id, 'workflowCanceled', {}],
    [started.id, 'beforeWorkflowCanceled', { modelId: 'audited', pendingNodes: ['ask'] }],
  ]
  for (const [document, eventId, extended] of expected)
    await soon(async () =>
      expect(await audited(document, eventId)).toMatchObject([{ category: 'Routing', extended }]),
    )
  await stopAudit()
})

test('a review that has ended is in the audit of its document', async () => {
  const stopAudit = startAudit(bench.platform)
  const id = await file()
  const started = await start('SerialDocumentReview', [id])
  const variables = { participants: ['bob'], validationOrReview: 'review' }
  await ok(complete('ann', await only('ann', started.id), 'start_review', { variables }))
  await ok(complete('bob', await only('bob', started.id), 'validate'))
  await soon(async () => {
    const { entries } = await ok(call('GET', `${API}/id/${id}/@audit?eventId=auditLogRoute`))
    expect(entries).toMatchObject([{ category: 'Routing', comment: 'ann: validate' }])
  })
  await stopAudit()
})

test('workflows are listed page by page, by model, and their open tasks counted', async () => {
  await ok(deploy('routes', 'paged', model('')), 201)
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push((await start('paged', [])).id)
  const found: string[] = []
  for (let after = ''; ; ) {
    const page = `workflowModelName=paged&pageSize=2${after && `&after=${after}`}`
    const { entries, nextAfter } = await ok(call('GET', `${API}/workflowRun?${page}`))
    found.push(...entries.map(({ id }: Entity) => id))
    if (nextAfter === null) break
    after = nextAfter
  }
  expect(found).toEqual(ids)
  await bench.client.workflow.getHandle(`route/${ids[2]}`).terminate()
  await soon(async () => {
    const stuck = await ok(call('GET', `${API}/workflowRun?workflowModelName=paged&stuck=true&pageSize=1`))
    expect(stuck.entries).toMatchObject([{ id: ids[2], isFollowed: false }])
  })
  await soon(async () => {
    const { entries } = await ok(call('GET', `${API}/workflowRun?workflowModelName=paged&unfollowed=true`))
    expect(entries).toEqual([])
  })
  const backlog = await ok(call('GET', `${API}/workflowBacklog`))
  const counts = { open: 3, overdue: 3, earliestDue: expect.any(String) }
  expect(backlog.models).toContainEqual({ workflowModelName: 'paged', ...counts })
  expect(backlog.nodes).toContainEqual({ workflowModelName: 'paged', node: 'ask', ...counts })
  const ann = backlog.assignees.find(({ assignee }: Entity) => assignee === 'ann')
  expect(ann.open).toBeGreaterThanOrEqual(3)
  expect(backlog.open).toBeGreaterThanOrEqual(3)
})

test('the page providers of tasks find open tasks, the first due first', async () => {
  await ok(deploy('routes', 'provided', model('')), 201)
  const id = await file()
  const started = await start('provided', [id])
  const task = await only('ann', started.id)
  await ok(call('PUT', `${API}/task/${task.id}/delegate?delegatedActors=eve`, { user: 'ann' }))
  const found = async (provider: string, ...params: string[]): Promise<string[]> => {
    const query = params.map((param) => `queryParams=${encodeURIComponent(param)}`).join('&')
    const address = `${API}/search/pp/${provider}/execute?${query}`
    const page = await ok(call('GET', address, { user: 'ann', headers: { properties: 'task' } }))
    const dues = page.entries.map(({ properties }: Entity) => properties['nt:dueDate'])
    expect(dues).toEqual([...dues].sort())
    return page.entries.flatMap(({ uid }: Entity) => (uid === task.id ? [uid] : []))
  }
  const all = async () => [
    await found('GET_TASKS_FOR_ACTORS', 'ann'),
    await found('GET_TASKS_FOR_ACTORS_OR_DELEGATED_ACTORS', 'eve', 'eve'),
    await found('GET_TASKS_FOR_PROCESS', started.id),
    await found('GET_TASKS_FOR_PROCESS_AND_NODE', started.id, 'ask'),
    await found('GET_TASKS_FOR_TARGET_DOCUMENTS', id),
  ]
  const own = [task.id]
  expect(await all()).toEqual([own, own, own, own, own])
  expect(await found('GET_TASKS_FOR_ACTORS', 'eve')).toEqual([])
  expect(await found('GET_TASKS_FOR_PROCESS_AND_NODE', started.id, 'end')).toEqual([])
  await ok(complete('ann', task, 'ok'))
  expect(await all()).toEqual([[], [], [], [], []])
})
