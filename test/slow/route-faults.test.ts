import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { seededRandom } from '../support/random.js'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'
import { planKills } from './fault-plan.js'

const REVIEWS = sized({ full: 200, sample: 10 })
const KILLS = sized({ full: 10, sample: 1 })
const CALLERS = 4
/** Kills and their repairs are most of it: two hundred reviews take longer than the ten minutes of other slow tests. */
const LONGEST_MS = sized({ full: 3_600_000, sample: 600_000 })
const WAIT = { timeout: 600_000, interval: 250 }

/** What the webhook has received: ids of deliveries, by id of event. */
const received = new Map<string, Set<string>>()
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }
  received.set(id, (received.get(id) ?? new Set()).add(String(request.headers['webhook-id'])))
  response.end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(() => receiver.close())

const { seed, call, rows, folder, deploy, killAlong, expectCalm } = await createFaultBench({
  env: { ARCHIVOLT_ESCALATION_SECONDS: '1', ARCHIVOLT_HTTP_ALLOW: '127.0.0.1' },
})

const counting = (name: string): string => `
- Workflow.SetNodeVariable:
    name: ${name}
    value: 'expr:NodeVariables["${name}"] + 1'
`

/** Half of the reviews are answered; the others end by their last rule: of rules that are due the order is that of names. */
const MODEL = `
variables: { answered: { type: boolean } }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: review }] }
  review:
    hasTask: true
    hasMultipleTasks: true
    taskAssignees: [Administrator, 'group:administrators']
    taskAssigneesPermission: Read
    variables: { once: { type: integer, default: 0 }, often: { type: integer, default: 0 } }
    escalationRules:
    - { name: often, condition: timeSinceRuleHasBeenFalse(1000), multipleExecution: true, chain: count-often }
    - { name: once, condition: timeSinceTaskWasStarted() >= 500, chain: count-once }
    - name: z-give-up
      condition: WorkflowVariables["answered"] == false && timeSinceTaskWasStarted() >= 3000
      chain: reviewResumeNode
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

const json = async <Body>(method: string, path: string, body?: unknown, key?: string): Promise<Body> => {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': `${key}-${seed}` }
  const response = await call(method, path, { body, headers })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text) as Body
}

const operate = <Body>(operation: string, key: string, body: object): Promise<Body> =>
  json('POST', `/api/v1/automation/${operation}`, body, `${operation}-${key}`)

/** Ends a task; of an attempt whose answer was lost the next one says that it is ended already. */
const complete = async (id: string): Promise<void> => {
  const body = { 'entity-type': 'task', id }
  const { status } = await call('PUT', `/api/v1/task/${id}/ok`, { body })
  expect([200, 409]).toContain(status)
  expect(await json('GET', `/api/v1/task/${id}`)).toMatchObject({ state: 'ended' })
}

type Review = { id: string; isAnswered: boolean }

const review = async (key: string, isAnswered: boolean): Promise<Review> => {
  const file = { input: '/reviewed', params: { type: 'File', name: key } }
  const { uid } = await operate<{ uid: string }>('Document.Create', key, file)
  const params = { id: 'faulty', variables: { answered: String(isAnswered) } }
  await operate('Context.StartWorkflow', key, { input: `doc:${uid}`, params })
  const [started] = await rows<{ id: string }>('SELECT id FROM routes WHERE document_ids ? $1', uid)
  const id = started!.id
  // One that nobody answers may be over when the answer to its start was lost, and asked for again.
  if (!isAnswered) return { id, isAnswered }
  const { entries } = await json<{ entries: { id: string; workflowInstanceId: string }[] }>(
    'GET',
    `/api/v1/id/${uid}/@task`,
  )
  expect(entries.map(({ workflowInstanceId }) => workflowInstanceId)).toEqual([id, id])
  const executed = async () => {
    const found = await json<{ entries: { rule: string }[] }>('GET', `/api/v1/workflow/${id}/escalations`)
    return found.entries.some(({ rule }) => rule === 'once')
  }
  await expect.poll(executed, WAIT).toBe(true)
  for (const task of entries) await complete(task.id)
  return { id, isAnswered }
}

test('reviews move once, escalate as often as their rules say, and are reported, while servers are killed', {
  timeout: LONGEST_MS,
}, async () => {
  await folder('/', 'reviewed')
  await deploy('count-once', counting('once'))
  await deploy('count-often', counting('often'))
  const contribute = (point: string, name: string, body: unknown) =>
    json('PUT', `/api/v1/contributions/${point}/${name}`, body)
  await contribute('routes', 'faulty', MODEL)
  const { port } = receiver.address() as AddressInfo
  const events = ['afterWorkflowStarted', 'afterWorkflowFinish']
  await contribute(
    'webhooks',
    'reports',
    `{ url: 'http://127.0.0.1:${port}/', events: [${events.join(', ')}] }`,
  )

  const random = seededRandom(seed)
  const wanted = Array.from({ length: REVIEWS }, () => random() < 0.5)
  const done: Review[] = []
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < REVIEWS) {
      const index = next++
      done.push(await review(`review-${index}`, wanted[index] ?? true))
    }
  }
  const plan = planKills(seed, { each: KILLS, maxDelayMs: 500 })
  const [killed] = await Promise.all([
    killAlong(plan, async () => done.length / REVIEWS),
    ...Array.from({ length: CALLERS }, caller),
  ])
  expect(killed).toBeGreaterThanOrEqual(Math.ceil(plan.length * 0.6))
  await expectCalm()

  type Row = { id: string; status: string; once: number; often: number }
  const routes = () =>
    rows<Row>(`SELECT id, status, (state #>> '{nodes,review,variables,once}')::int AS once,
                 (state #>> '{nodes,review,variables,often}')::int AS often
               FROM routes WHERE model_id = 'faulty'`)
  await expect.poll(async () => (await routes()).filter(({ status }) => status !== 'done'), WAIT).toEqual([])
  const ended = await routes()
  expect(ended).toHaveLength(REVIEWS)

  const executions = await rows<{ id: string; rule: string; count: number; errors: number }>(
    `SELECT route_id AS id, rule, count(*)::int, count(error)::int AS errors FROM route_escalations GROUP BY 1, 2`,
  )
  const tasks = await rows<{ id: string; state: string }>(
    `SELECT properties ->> 'nt:processId' AS id, lifecycle_state AS state FROM documents WHERE type = 'RoutingTask'`,
  )
  for (const { id, isAnswered } of done) {
    const of = (rule: string): number =>
      executions.find((each) => each.id === id && each.rule === rule)?.count ?? 0
    const found = ended.find((route) => route.id === id)
    expect(found).toMatchObject({ once: 1, often: of('often') })
    expect([of('once'), of('z-give-up')]).toEqual([1, isAnswered ? 0 : 1])
    const states = tasks.filter((task) => task.id === id).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 2 }, () => (isAnswered ? 'ended' : 'cancelled')))
  }
  expect(executions.filter(({ errors }) => errors > 0)).toEqual([])

  const emitted = (
    await rows<{ id: string }>(
      `SELECT 'default-' || id AS id FROM outbox WHERE event = ANY (string_to_array($1, ' '))`,
      events.join(' '),
    )
  ).map(({ id }) => id)
  expect(emitted).toHaveLength(2 * REVIEWS)
  await expect.poll(() => emitted.filter((id) => !received.has(id)), WAIT).toEqual([])
  expect([...received.values()].filter((ids) => ids.size !== 1)).toEqual([])
})
