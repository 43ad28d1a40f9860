import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { call, ok, deploy, file, platform } = await createWorkflowBench({
  // Nothing is sent: the mail waits.
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
})

type Entry = { [field: string]: unknown; at: string; kind: string }

const page = readFileSync('docs/workflows.md', 'utf8')

/** The blocks of the page's section on trials, in order: a file of contributions, and a trial. */
const [contributions, asked] = [
  ...page.slice(page.indexOf('## Try a model')).matchAll(/```(?:yaml|json)\n(.*?)```/gs),
].map(([, text]) => parse(text ?? ''))
/** Of this file's tests, each attaches its own documents. */
delete asked.attachedDocumentIds

const tryModel = (name: string, trial: object, user?: string) =>
  call('POST', `${API}/workflowModel/${name}/trial`, {
    ...(user && { user }),
    json: { 'entity-type': 'workflowTrial', ...trial },
  })

const at = (date: string, hours = '09:00:00') => `${date}T${hours}.000Z`

const counts = async () => {
  const [found] = await platform.database.sql<{ documents: number; outbox: number; mails: number }[]>`
    SELECT (SELECT count(*) FROM documents)::int AS documents, (SELECT count(*) FROM outbox)::int AS outbox,
      (SELECT count(*) FROM mails)::int AS mails`
  return found
}

const waiting = (due: string | undefined, more: object = {}) => ({
  nodes: {
    begin: { start: true, transitions: [{ name: 'go', targetId: 'ask' }] },
    ask: {
      hasTask: true,
      taskAssigneesExpr: 'workflowInitiator',
      taskDueDateExpr: due,
      transitions: [{ name: 'go', targetId: 'end' }],
      ...more,
    },
    end: { stop: true },
  },
})

beforeAll(async () => {
  for (const [name, text] of Object.entries(contributions.chains))
    await ok(deploy('chains', name, JSON.stringify({ operations: text })), 201)
  for (const user of ['ann', 'bob', 'eve'])
    await ok(
      call('PUT', `${API}/user/${user}`, {
        json: { 'entity-type': 'user', id: user, properties: { email: `${user}@example.com` } },
      }),
    )
})

describe('the review of the page, before it is deployed', () => {
  const model = contributions.routes['contract-review']

  test('reminds, escalates twice and ends, with the clock turned forward', async () => {
    const id = await file()
    const before = await counts()
    const trial = await ok(tryModel('contract-review', { ...asked, model, attachedDocumentIds: [id] }))
    const entries: Entry[] = trial.entries
    expect(trial).toMatchObject({ state: 'done', isComplete: true, openTasks: [], unusedAnswers: [] })
    const of = (kind: string) => entries.filter((entry) => entry.kind === kind)
    expect(of('taskCreated')).toMatchObject([
      { at: at('2028-02-01'), node: 'review', actors: ['user:ann'], dueDate: at('2028-04-01') },
      { at: at('2028-02-01'), node: 'review', actors: ['user:bob'], dueDate: at('2028-04-01') },
    ])
    expect(of('taskCompleted')).toMatchObject([{ at: at('2028-02-04'), actor: 'bob', button: 'approve' }])
    // 2028 has a 29 February: thirty days are over on 2 March.
    expect(of('escalation').map(({ at: moment, rule }) => [moment, rule])).toEqual([
      [at('2028-03-02'), 'remind'],
      [at('2028-03-09'), 'remind'],
      [at('2028-03-16'), 'remind'],
      [at('2028-03-23'), 'remind'],
      [at('2028-03-30'), 'remind'],
      [at('2028-04-01'), 'level-one'],
      [at('2028-04-06'), 'level-two'],
    ])
    expect(of('tasksCancelled')).toMatchObject([
      { at: at('2028-04-06'), node: 'review', actors: ['user:ann'] },
    ])
    expect(entries.at(-1)).toMatchObject({ at: at('2028-04-06'), kind: 'workflowEnded', state: 'done' })
    expect(of('mail').map(({ to, subject }) => [to, subject])).toEqual([
      [['ann@example.com'], 'Task assigned: Review the contract'],
      [['bob@example.com'], 'Task assigned: Review the contract'],
      ...Array.from({ length: 5 }, () => [
        ['ann@example.com', 'bob@example.com'],
        expect.stringMatching('waits'),
      ]),
      [['eve@example.com'], expect.stringMatching('late')],
    ])
    expect(trial.variables).toMatchObject({ level: 1 })
    expect(await counts()).toEqual(before)
    expect(await ok(call('GET', `${API}/id/${id}/@task`))).toMatchObject({ entries: [] })
  })

  test('ends at once when all approve, and shows who has not answered at the end', async () => {
    const approve = { node: 'review', after: 'PT2H', button: 'approve' }
    const trial = { ...asked, model, answers: [{ ...approve, times: 3 }] }
    const done = await ok(tryModel('contract-review', trial))
    expect(done).toMatchObject({
      state: 'done',
      endedAt: at('2028-02-01', '11:00:00'),
      unusedAnswers: [{ ...approve, times: 1 }],
    })
    const early = await ok(tryModel('contract-review', { ...trial, answers: [], end: 'P1D' }))
    expect(early).toMatchObject({
      state: 'running',
      endedAt: at('2028-02-02'),
      openTasks: [
        { node: 'review', actors: ['user:ann'] },
        { node: 'review', actors: ['user:bob'] },
      ],
    })
  })

  test('lists what fails, and goes on without it', async () => {
    const answers = [
      { node: 'review', actor: 'bob', after: 'P1D', button: 'no such button' },
      { node: 'review', actor: 'ann', after: 'P2D', button: 'approve', comment: 'fine' },
    ]
    const trial = { ...asked, model, answers, end: 'P3D' }
    const failing = {
      ...model,
      nodes: { ...model.nodes, review: { ...model.nodes.review, hasMultipleTasks: false } },
    }
    const { entries, state } = await ok(tryModel('contract-review', { ...trial, model: failing }))
    expect(entries.filter(({ kind }: Entry) => kind === 'taskCompleted')).toEqual([
      expect.objectContaining({
        actor: 'bob',
        error: expect.stringContaining('No transition of node review is true'),
      }),
    ])
    expect(state).toBe('running')
  })
})

test('a trial is for administrators, of a model that is right or deployed, with users that exist', async () => {
  expect((await tryModel('SerialDocumentReview', {}, 'ann')).status).toBe(403)
  expect((await tryModel('no-such', {})).status).toBe(404)
  const broken = { nodes: { a: { start: true, transitions: [{ name: 'go', targetId: 'b' }] } } }
  expect(await tryModel('broken', { model: broken })).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('b') },
  })
  const answers = [{ node: 'ask', actor: 'nobody', after: 'P1D', button: 'ok' }]
  expect(await tryModel('any', { model: waiting('CurrentDate'), answers })).toMatchObject({
    status: 400,
    json: { message: 'actor: user nobody does not exist or is disabled' },
  })
  const soon = [{ node: 'ask', after: 'tomorrow', button: 'ok' }]
  expect((await tryModel('any', { model: waiting('CurrentDate'), answers: soon })).status).toBe(400)
  expect((await tryModel('any', { model: waiting('CurrentDate'), end: 'Pever' })).status).toBe(400)
})

test('a rule that always holds ends the trial when it was executed often enough', {
  timeout: 90_000,
}, async () => {
  const rule = { name: 'often', condition: 'true', multipleExecution: true, chain: 'voidChain' }
  const trial = { model: waiting('CurrentDate', { escalationRules: [rule] }), startedAt: at('2027-01-01') }
  const { isComplete, entries, state } = await ok(tryModel('often', trial))
  expect({ isComplete, state }).toEqual({ isComplete: false, state: 'running' })
  expect(entries.filter(({ kind }: Entry) => kind === 'escalation').length).toBeGreaterThan(2)
})

test('a condition that cannot be evaluated is listed once, with its error', async () => {
  const rule = { name: 'late', condition: 'timeSinceDueDateOver() > 0', chain: 'voidChain' }
  const trial = {
    model: waiting('CurrentDate', { escalationRules: [rule] }),
    startedAt: at('2027-01-01'),
    end: at('2027-01-03'),
  }
  const { entries, state } = await ok(tryModel('unknown', trial))
  expect(state).toBe('running')
  expect(entries.filter(({ kind }: Entry) => kind === 'escalation')).toMatchObject([
    { rule: 'late', error: expect.stringContaining('timeSinceDueDateOver') },
  ])
})

test('a condition on more than time is asked every five minutes, and sub-workflows are run with it', async () => {
  const rule = {
    name: 'new-year',
    condition: 'CurrentDate.format("yyyy") == "2028"',
    chain: 'reviewResumeNode',
  }
  await ok(
    deploy('routes', 'inner', JSON.stringify(waiting('CurrentDate', { escalationRules: [rule] }))),
    201,
  )
  const outer = {
    nodes: {
      begin: { start: true, subRouteModelExpr: 'inner', transitions: [{ name: 'go', targetId: 'end' }] },
      end: { stop: true },
    },
  }
  const trial = { model: outer, startedAt: at('2027-12-31', '23:31:00'), end: at('2028-01-02') }
  const { entries, state } = await ok(tryModel('outer', trial))
  expect(state).toBe('done')
  expect(entries.find(({ kind }: Entry) => kind === 'escalation')).toMatchObject({
    at: at('2028-01-01', '00:01:00'),
    workflowModelName: 'inner',
  })
  expect(entries.filter(({ kind }: Entry) => kind === 'workflowEnded')).toHaveLength(2)
})

describe('due dates', () => {
  const dueOf = async (expression: string | undefined, startedAt: string) => {
    const { openTasks } = await ok(tryModel('any', { model: waiting(expression), startedAt, end: 'PT1S' }))
    return openTasks[0].dueDate
  }

  beforeAll(async () => {
    const calendar = { country: 'DE', state: 'BE', timezone: 'Europe/Berlin' }
    await ok(deploy('holidayCalendars', 'berlin', JSON.stringify(calendar)), 201)
    const duration = (numberOfDays: number) => JSON.stringify({ numberOfDays, calendar: 'berlin' })
    await ok(deploy('durations', 'three', duration(3)), 201)
    await ok(deploy('durations', 'none', duration(0)), 201)
  })

  test.each([
    ['there is no expression', undefined, '2027-01-02T09:00:00Z', '2027-01-02T09:00:00.000Z'],
    [
      'weekends and holidays are days',
      'CurrentDate.days(3)',
      '2026-12-31T09:00:00Z',
      '2027-01-03T09:00:00.000Z',
    ],
    ['a leap day counts', 'CurrentDate.days(1)', '2028-02-28T09:00:00Z', '2028-02-29T09:00:00.000Z'],
    [
      'a year without one has none',
      'CurrentDate.days(1)',
      '2027-02-28T09:00:00Z',
      '2027-03-01T09:00:00.000Z',
    ],
    ['a month of a leap year', 'CurrentDate.months(1)', '2028-01-31T09:00:00Z', '2028-02-29T09:00:00.000Z'],
    [
      'clocks go forward',
      'CurrentDate.businessDays("three")',
      '2027-03-26T20:00:00Z',
      '2027-03-31T22:00:00.000Z',
    ],
    [
      'clocks go back',
      'CurrentDate.businessDays("three")',
      '2027-10-29T10:00:00Z',
      '2027-11-02T23:00:00.000Z',
    ],
    [
      'holidays and weekends',
      'CurrentDate.businessDays("three")',
      '2028-12-22T10:00:00Z',
      '2028-12-28T23:00:00.000Z',
    ],
    [
      'the last moment before a holiday',
      'CurrentDate.businessDays("none")',
      '2027-12-24T22:59:59Z',
      '2027-12-23T23:00:00.000Z',
    ],
    [
      'midnight in the zone',
      'CurrentDate.businessDays("none")',
      '2027-12-24T23:00:00Z',
      '2027-12-24T23:00:00.000Z',
    ],
  ])('%s: %s from %s', async (_, expression, startedAt, expected) => {
    expect(await dueOf(expression, startedAt)).toBe(expected)
  })
})
