import { NativeConnection } from '@temporalio/worker'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { scheduleIdOf, startChainSchedules } from '../../worker/chain-schedules.js'
import { createRunsBench } from './runs-support.js'

const bench = await createRunsBench()
const { platform, client, call, deploy, list, make, propertiesOf, ended } = bench
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())
const { taskQueue } = platform.settings.temporal

const LOOK_MS = 500
const workers = await Promise.all(
  [0, 1].map(() => startChainSchedules({ connection, platform }, { lookMs: LOOK_MS })),
)
afterAll(async () => {
  for (const name of ['nightly']) await call('DELETE', `${SCHEDULES}/${name}`)
  await Promise.all(workers.map((stop) => stop()))
})

const SCHEDULES = '/api/v1/contributions/schedules'
/** Not while the tests last. */
const NEVER = '0 0 0 1 1 ? 2099'

const schedule = (name: string, content: object, options = {}) =>
  call('PUT', `${SCHEDULES}/${name}`, { json: content, ...options })
const handleOf = (name: string) => client.schedule.getHandle(scheduleIdOf(taskQueue, name))
const soon = <Result>(check: () => Promise<Result>) => vi.waitFor(check, { timeout: 20_000, interval: 100 })

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

const runsOf = async (chain: string) =>
  (await list({ chain })).entries.filter((run: { schedule?: string }) => run.schedule !== undefined)

describe('a schedule of a chain', () => {
  test('is made in the engine, changed and taken away with what is deployed', {
    timeout: 60_000,
  }, async () => {
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

  test('runs it at its times, each a run like any other', { timeout: 60_000 }, async () => {
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
    const [run] = await runsOf('stamp')
    expect(run).toMatchObject({
      chainId: 'stamp',
      principal: 'Administrator',
      schedule: 'often',
      documentId: folder.path,
      execution: 'workflow',
    })
    expect(run.workflowId).toMatch(`${scheduleIdOf(taskQueue, 'often')}-2`)
    expect((await ended(run.workflowId)).nodes).toEqual([expect.objectContaining({ status: 'done' })])
    expect(
      (await call('GET', `/api/v1/automation/runs?document=${folder.uid}&chain=stamp`)).json.entries,
    ).not.toEqual([])
  })
})
