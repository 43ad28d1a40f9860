import { randomUUID } from 'node:crypto'
import { NativeConnection } from '@temporalio/worker'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Environment } from '../../../../api/edge/index.js'
import { errorHandler } from '../../../../api/errors/index.js'
import { scheduleIdOf } from '../../../../core/automation/runs/index.js'
import { createSchedules } from '../../../../engine/index.js'
import { startChainSchedules } from '../../../../worker/chain-schedules.js'
import { soon } from '../../../support/soon.js'
import { createRunsBench } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { platform, client, call, deploy, list, make, propertiesOf, runOf, ended } = bench
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())
const { taskQueue } = platform.settings.temporal

const LOOK_MS = 500
const workers = await Promise.all(
  [0, 1].map(() => startChainSchedules({ connection, platform }, { lookMs: LOOK_MS })),
)
afterAll(async () => {
  const { entries } = (await call('GET', SCHEDULES)).json
  for (const { id } of entries) await call('DELETE', `${SCHEDULES}/${id}`)
  await soon(async () => expect(await Promise.all(entries.map(isMade))).not.toContain(true))
  await Promise.all(workers.map((stop) => stop()))
})

const SCHEDULES = '/api/v1/contributions/schedules'
/** Not while the tests last. */
const NEVER = '0 0 0 1 1 ? 2099'

const schedule = (name: string, content: object, options = {}) =>
  call('PUT', `${SCHEDULES}/${name}`, { json: content, ...options })
const handleOf = (name: string) => client.schedule.getHandle(scheduleIdOf(taskQueue, name))
const isMade = async ({ id }: { id: string }): Promise<boolean> => {
  const made = await handleOf(id)
    .describe()
    .catch((error: Error) => error)
  return !(made instanceof Error)
}

await deploy(
  'stamp',
  `
params:
- text: {type: string, required: true}
operations:
- Context.FetchDocument
- Document.SetProperty: {xpath: 'dc:description', value: 'expr:@{ChainParameters["text"]} by @{CurrentUser.name}'}
`,
)
const folder = await make('/', 'scheduled', 'Folder')

/** Runs of the schedules of this file: others in the same Temporal may have the same names. */
const runsOf = async (chain: string, query: Record<string, string> = {}, user?: string) =>
  (await list({ chain, ...query }, user === undefined ? {} : { user })).entries.filter(
    ({ workflowId }: { workflowId: string }) => workflowId.startsWith(scheduleIdOf(taskQueue, '')),
  )

describe('a schedule of a chain', () => {
  test('is made in the engine, changed and taken away with what is deployed', async () => {
    const answer = await schedule('nightly', {
      chain: 'stamp',
      cron: '0 30 3 ? * MON-FRI',
      timezone: 'Europe/Berlin',
      params: { text: 'x' },
    })
    expect(answer.status, answer.text).toBe(201)
    const made = await soon(() => handleOf('nightly').describe())
    expect(made.spec.timezone).toBe('Europe/Berlin')
    expect(made.spec.calendars?.[0]).toMatchObject({
      second: [{ start: 0 }],
      minute: [{ start: 30 }],
      hour: [{ start: 3 }],
    })
    const [next] = made.info.nextActionTimes
    expect(
      new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeStyle: 'short', hour12: false }).format(
        next,
      ),
    ).toBe('03:30')
    expect(made.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 600_000 })

    // What an operator does to it stays, while what is deployed changes.
    await handleOf('nightly').pause('not now')
    await schedule('nightly', { chain: 'stamp', cron: NEVER, params: { text: 'x' }, overlap: 'wait' })
    await soon(async () => {
      const { policies, state, spec } = await handleOf('nightly').describe()
      expect([policies.overlap, state.paused, state.note, spec.timezone]).toEqual([
        'BUFFER_ONE',
        true,
        'not now',
        'UTC',
      ])
    })

    // What somebody has taken away by hand comes back, and what nobody deployed goes.
    await handleOf('nightly').delete()
    await soon(() => handleOf('nightly').describe())
    expect((await call('DELETE', `${SCHEDULES}/nightly`)).status).toBe(204)
    await soon(() => expect(handleOf('nightly').describe()).rejects.toThrow(/not found/i))
  })

  test('runs it at its times, each a run like any other', async () => {
    await schedule('often', {
      chain: 'stamp',
      cron: '* * * * * ?',
      input: folder.path,
      params: { text: 'stamped' },
    })
    await soon(async () => {
      expect((await propertiesOf(folder.uid))['dc:description']).toBe('stamped by Administrator')
    })
    await soon(async () => expect((await runsOf('stamp')).length).toBeGreaterThan(1))
    expect((await call('DELETE', `${SCHEDULES}/often`)).status).toBe(204)
    // The first of them: what begins while its schedule is taken away finds none, and fails.
    const run = (await runsOf('stamp')).at(-1)
    expect(run).toMatchObject({
      chainId: 'stamp',
      principal: 'Administrator',
      schedule: 'often',
      documentId: folder.path,
      execution: 'workflow',
    })
    expect(run.workflowId).toMatch(`${scheduleIdOf(taskQueue, 'often')}-2`)
    expect((await ended(run.workflowId)).status).toBe('COMPLETED')
    await soon(async () =>
      expect((await runOf(run.workflowId)).nodes).toEqual([expect.objectContaining({ status: 'done' })]),
    )
    expect(
      (await call('GET', `/api/v1/automation/runs?document=${folder.uid}&chain=stamp`)).json.entries,
    ).not.toEqual([])
  })
  test('runs as whom it names, or else as whoever deployed it', async () => {
    const target = await make('/', 'by-ann', 'Folder')
    const acl = { permission: 'ReadWrite', username: 'ann' }
    await call('POST', '/api/v1/automation/Document.AddPermission', {
      json: { input: `doc:${target.uid}`, params: acl },
    })
    await schedule('by-ann', {
      chain: 'stamp',
      cron: NEVER,
      username: 'ann',
      input: target.uid,
      params: { text: 'done' },
    })
    await soon(() => handleOf('by-ann').trigger())
    await soon(async () => expect((await propertiesOf(target.uid))['dc:description']).toBe('done by ann'))
    const [run] = await soon(async () => {
      const entries = await runsOf('stamp', { document: target.uid }, 'ann')
      expect(entries).toHaveLength(1)
      return entries
    })
    expect(run).toMatchObject({ principal: 'ann', schedule: 'by-ann' })
    // A user without the right may not do it by way of a schedule either.
    await schedule('by-bob', {
      chain: 'stamp',
      cron: NEVER,
      username: 'bob',
      input: target.uid,
      params: { text: 'no' },
    })
    await soon(() => handleOf('by-bob').trigger())
    const failed = await soon(async () => {
      const entries = await runsOf('stamp', { user: 'bob', state: 'FAILED' })
      expect(entries).toHaveLength(1)
      return runOf(entries[0].workflowId)
    })
    expect(failed.failure).toMatchObject({ status: 403 })
  })

  test('runs the chain as it is deployed then', async () => {
    const target = await make('/', 'as-then', 'Folder')
    const writing = (value: string) =>
      `- Context.FetchDocument\n- Document.SetProperty: {xpath: 'dc:description', value: ${value}}`
    await deploy('as-then', writing('first'))
    await schedule('as-then', { chain: 'as-then', cron: NEVER, input: target.path })
    const described = await soon(() => handleOf('as-then').describe())
    await deploy('as-then', writing('second'))
    await handleOf('as-then').trigger()
    await soon(async () => expect((await propertiesOf(target.uid))['dc:description']).toBe('second'))
    expect((await handleOf('as-then').describe()).info.lastUpdatedAt).toEqual(described.info.lastUpdatedAt)
  })

  test('leaves a time out while the run before goes on', async () => {
    await deploy(
      'held',
      `- Repository.GetDocument: {value: ${folder.path}}\n- Document.SetProperty: {xpath: 'dc:rights', value: held}`,
    )
    await schedule('held', { chain: 'held', cron: NEVER })
    await soon(() => handleOf('held').describe())
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    // The run waits for the row that this transaction has.
    const holding = platform.database.transaction(async (tx) => {
      await tx`SELECT FROM documents WHERE id = ${folder.uid} FOR UPDATE`
      await released
    })
    try {
      await handleOf('held').trigger('SKIP')
      await soon(async () => expect((await handleOf('held').describe()).info.runningActions).toHaveLength(1))
      await handleOf('held').trigger('SKIP')
      await soon(async () =>
        expect((await handleOf('held').describe()).info.numActionsSkippedOverlap).toBe(1),
      )
    } finally {
      release()
      await holding
    }
    await soon(async () => expect(await runsOf('held', { state: 'COMPLETED' })).toHaveLength(1))
    expect((await handleOf('held').describe()).info.numActionsTaken).toBe(1)
  })

  test('that cannot be planned is a failed run, which can be started again', async () => {
    const admin = { user: 'Administrator' }
    await deploy('planned', '- Log: {message: x}')
    await call('POST', '/api/v1/user', {
      json: {
        'entity-type': 'user',
        id: 'leaver',
        properties: { username: 'leaver', password: 'leaver-1234' },
      },
    })
    await schedule('leaving', { chain: 'planned', cron: NEVER, username: 'leaver' })
    await soon(() => handleOf('leaving').describe())
    expect((await call('DELETE', '/api/v1/user/leaver')).status).toBeLessThan(300)
    await handleOf('leaving').trigger()
    const failed = await soon(async () => {
      const entries = await runsOf('planned')
      expect(entries).toEqual([expect.objectContaining({ status: 'FAILED', schedule: 'leaving' })])
      return runOf(entries[0].workflowId)
    })
    expect(failed.failure).toMatchObject({
      status: 403,
      message: expect.stringContaining('User leaver does not exist'),
    })
    await call('POST', '/api/v1/user', {
      json: {
        'entity-type': 'user',
        id: 'leaver',
        properties: { username: 'leaver', password: 'leaver-1234' },
      },
    })
    const id = encodeURIComponent(failed.workflowId)
    expect((await call('POST', `/api/v1/automation/runs/${id}/retry`, admin)).status).toBe(202)
    await soon(async () => expect((await runOf(failed.workflowId)).status).toBe('COMPLETED'))
  })

  test('says that its input is not there, whatever its chain would first fail with', async () => {
    await deploy('needs-input', "- Log: {message: 'expr:@{Event.name}'}")
    await schedule('inputless', { chain: 'needs-input', cron: NEVER, input: '/nope' })
    await soon(() => handleOf('inputless').describe())
    await handleOf('inputless').trigger()
    const failed = await soon(async () => {
      const entries = await runsOf('needs-input')
      expect(entries).toEqual([expect.objectContaining({ status: 'FAILED' })])
      return runOf(entries[0].workflowId)
    })
    expect(failed.failure).toMatchObject({
      status: 404,
      message: expect.stringContaining("The input of the schedule 'inputless' is not there: /nope"),
    })
  })
})

describe('a schedule of an event', () => {
  test('emits it once each time to its handlers', async () => {
    await deploy(
      'heard',
      `
- Repository.GetDocument: {value: ${folder.path}}
- Document.SetProperty: {xpath: 'dc:source', value: 'expr:@{Event.name} @{Event.properties.schedule} @{CurrentUser.name}'}
`,
    )
    const hearing = await call('PUT', '/api/v1/contributions/eventHandlers/hearing', {
      json: { events: ['bell'], chain: 'heard' },
    })
    expect(hearing.status, hearing.text).toBe(201)
    await schedule('ringing', { event: 'bell', category: 'bells', cron: NEVER, username: 'Administrator' })
    await soon(() => handleOf('ringing').trigger())
    await soon(async () =>
      expect((await propertiesOf(folder.uid))['dc:source']).toBe('bell ringing Administrator'),
    )
    const rung = await platform.database.sql<{ payload: object; principal: string }[]>`
      SELECT payload, principal FROM outbox WHERE event = 'bell'`
    expect([...rung]).toEqual([
      { payload: { schedule: 'ringing', category: 'bells' }, principal: 'Administrator' },
    ])
  })
})

test('administrators see when schedules come next, and what they have started', async () => {
  await schedule('shown', {
    chain: 'stamp',
    cron: '0 0 4 ? * SUN',
    timezone: 'Asia/Tokyo',
    params: { text: 'x' },
  })
  await soon(() => handleOf('shown').trigger())
  await soon(async () => {
    const { status, json } = await call('GET', '/api/v1/automation/schedules')
    expect(status).toBe(200)
    const [shown] = json.entries.filter(({ id }: { id: string }) => id === 'shown')
    expect(shown).toMatchObject({
      'entity-type': 'schedule',
      chain: 'stamp',
      cron: '0 0 4 ? * SUN',
      timezone: 'Asia/Tokyo',
      username: 'Administrator',
      state: 'active',
      left: { overlapping: 0, missed: 0 },
    })
    // Four in the morning of a Sunday in Tokyo is seven in the evening of a Saturday in UTC.
    expect(shown.next[0]).toMatch(/T19:00:00/)
    expect(new Date(shown.next[0]).getUTCDay()).toBe(6)
    expect(shown.runs).toEqual([
      expect.objectContaining({ workflowId: expect.stringContaining('schedule-shown') }),
    ])
  })
  expect((await call('GET', '/api/v1/automation/schedules', { user: 'ann' })).status).toBe(403)
})

describe('a schedule that is to run now', () => {
  const run = (name: string, options = {}) =>
    call('POST', `/api/v1/automation/schedules/${name}/run`, options)

  test('begins a run like those of its times, also while it is paused', { timeout: 60_000 }, async () => {
    await schedule('at-once', {
      chain: 'stamp',
      cron: NEVER,
      input: folder.path,
      params: { text: 'at once' },
    })
    await soon(() => handleOf('at-once').pause('not now'))
    const answer = await run('at-once')
    expect(answer.status, answer.text).toBe(202)
    const { workflowId, schedule: name } = answer.json
    expect(name).toBe('at-once')
    expect(answer.headers.get('Archivolt-Workflow-Id')).toBe(workflowId)
    expect(await ended(workflowId)).toMatchObject({ status: 'COMPLETED', schedule: 'at-once' })
    expect((await propertiesOf(folder.uid))['dc:description']).toBe('at once by Administrator')
  })

  test('reports its event', { timeout: 60_000 }, async () => {
    await schedule('tolled', { event: 'tolling', cron: NEVER })
    await soon(() => handleOf('tolled').describe())
    const answer = await run('tolled')
    expect([answer.status, answer.json]).toEqual([202, { 'entity-type': 'scheduleRun', schedule: 'tolled' }])
    await soon(async () =>
      expect((await platform.database.sql`SELECT FROM outbox WHERE event = 'tolling'`).length).toBe(1),
    )
  })

  test('heeds what it says of runs that overlap', { timeout: 60_000 }, async () => {
    await deploy(
      'slowly',
      '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:source", value: x}\n',
    )
    // A second try of this test has schedules of its own.
    const suffix = randomUUID()
    const nameOf = (overlap: string): string => `slow-${overlap}-${suffix}`
    for (const overlap of ['skip', 'wait'])
      await schedule(nameOf(overlap), { chain: 'slowly', cron: NEVER, input: folder.path, overlap })
    for (const overlap of ['skip', 'wait']) await soon(() => handleOf(nameOf(overlap)).describe())
    // The runs wait for the row that this transaction has.
    await platform.database.transaction(async (tx) => {
      await tx`SELECT FROM documents WHERE id = ${folder.uid} FOR UPDATE`
      for (const overlap of ['skip', 'wait']) {
        const name = nameOf(overlap)
        expect((await run(name)).status).toBe(202)
        // On a busy machine Temporal takes longer to begin it than a call waits to name it.
        const workflowId = await soon(async () => {
          const { runningActions } = (await handleOf(name).describe()).info
          expect(runningActions).toHaveLength(1)
          return runningActions[0]!.workflow.workflowId
        })
        const again = await run(name)
        if (overlap === 'skip')
          expect([again.status, again.json.message]).toEqual([409, expect.stringContaining(workflowId)])
        else
          expect([again.status, again.json]).toEqual([
            202,
            { 'entity-type': 'scheduleRun', schedule: name, waitsFor: workflowId },
          ])
      }
    })
    await soon(async () => expect((await handleOf(nameOf('wait')).describe()).info.numActionsTaken).toBe(2))
    expect((await handleOf(nameOf('skip')).describe()).info.numActionsTaken).toBe(1)
  })

  test('begins once, however many ask for it at once', { timeout: 120_000 }, async () => {
    await deploy('countdown', '- Log: {message: x}\n')
    const names = ['skip', 'wait'].map((overlap) => `at-once-${overlap}`)
    for (const overlap of ['skip', 'wait'])
      await schedule(`at-once-${overlap}`, { chain: 'countdown', cron: NEVER, overlap })
    for (const name of names) await soon(() => handleOf(name).describe())
    const [skipped, waited] = await Promise.all(
      names.map((name) => Promise.all(Array.from({ length: 20 }, () => run(name)))),
    )
    const statusesOf = (answers: typeof skipped) => answers?.map(({ status }) => status).sort()
    expect(statusesOf(skipped)).toEqual([202, ...Array(19).fill(409)])
    expect(statusesOf(waited)).toEqual(Array(20).fill(202))
    const [first] = (skipped ?? []).filter(({ status }) => status === 202).map(({ json }) => json.workflowId)
    for (const { status, json } of skipped ?? [])
      if (status === 409) expect(json.message).toContain(`its run ${first} is still running`)
    const taken = async (name: string) => (await handleOf(name).describe()).info.numActionsTaken
    expect(await taken('at-once-skip')).toBe(1)
    // One at once, and one behind it.
    await soon(async () => expect(await taken('at-once-wait')).toBe(2))
  })

  test('is asked for again while it is being made', async () => {
    const schedules = createSchedules({
      client,
      taskQueue,
      deployed: async () =>
        new Map([['young', { schedule: { name: 'young', overlap: 'skip', chain: 'c' } }]]) as never,
    })
    const app = new Hono<Environment>().post('/', async (c) => c.json(await schedules.run('young')))
    app.onError(errorHandler(pino({ level: 'silent' })))
    const answer = await app.request('/', { method: 'POST' })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
  })

  test('is there, and asked for by an administrator', async () => {
    const unknown = await run('no-such')
    expect([unknown.status, unknown.json.message]).toEqual([404, expect.stringContaining('no-such')])
    expect((await run('shown', { user: 'ann' })).status).toBe(403)
  })
})

describe('a file of the incumbent', () => {
  const file = (event: string) => `<component name="org.example.bells">
  <extension><chain id="bell-chain"><operation id="Log"><param name="message">x</param></operation></chain></extension>
  <extension><handler chainId="bell-chain" postCommit="true"><event>evening</event></handler></extension>
  <extension>
    <schedule id="evening-bell"><event>${event}</event><cronExpression>0 0 18 * * ?</cronExpression></schedule>
  </extension>
</component>`
  const contribute = (body: string, options = {}) =>
    call('POST', '/api/v1/contributions', {
      body,
      headers: { 'Content-Type': 'application/xml' },
      ...options,
    })

  test('is deployed as a whole', async () => {
    const answer = await contribute(file('evening'))
    expect(answer.status, answer.text).toBe(200)
    expect(
      answer.json.entries.map(({ point, id }: { point: string; id: string }) => `${point}/${id}`),
    ).toEqual(['chains/bell-chain', 'eventHandlers/bell-chain-evening', 'schedules/evening-bell'])
    const read = (path: string, type: string) =>
      call('GET', `/api/v1/contributions/${path}`, { headers: { Accept: type } })
    expect((await read('schedules/evening-bell', 'application/json')).json).toEqual({
      event: 'evening',
      cron: '0 0 18 * * ?',
    })
    expect((await read('eventHandlers/bell-chain-evening', 'application/xml')).text).toContain(
      'chainId="bell-chain"',
    )
    await soon(async () =>
      expect((await handleOf('evening-bell').describe()).action.workflowType).toBe('scheduledEvent'),
    )
  })

  test('is deployed not at all when a part of it is refused', async () => {
    const before = (await call('GET', '/api/v1/contributions/chains/bell-chain?versions=true')).json.entries
      .length
    const answer = await contribute(file('documentCreated'))
    expect([answer.status, answer.json.message]).toEqual([
      422,
      expect.stringContaining(
        'schedules/evening-bell is refused: event: documentCreated is an event of the product',
      ),
    ])
    const after = (await call('GET', '/api/v1/contributions/chains/bell-chain?versions=true')).json.entries
      .length
    expect(after).toBe(before)
  })

  test('is for administrators, and in a notation that says what it contributes', async () => {
    expect((await contribute(file('evening'), { user: 'ann' })).status).toBe(403)
    expect((await contribute('a: b', { headers: { 'Content-Type': 'application/yaml' } })).status).toBe(422)
    expect((await contribute('a: b', { headers: { 'Content-Type': 'text/html' } })).status).toBe(415)
  })
})
