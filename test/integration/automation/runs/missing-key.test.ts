import { Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { createOpenRuns, runAttributes, temporalOn } from '../../../../engine/index.js'
import type { Platform } from '../../../../runtime/index.js'
import { uniqueName } from '../../../support/template.js'
import { createTestService } from '../../support/bad-input-support.js'
import { createClient } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const RUNS = '/api/v1/automation/runs'
const REASON = /ARCHIVOLT_TEMPORAL_KEY has not the key [0-9a-f]{16}/

const queue = uniqueName('queue')
const before = await createTestService({
  ARCHIVOLT_TASK_QUEUE: queue,
  ARCHIVOLT_TEMPORAL_KEY: 'the key of yesterday: of 32 characters',
})

const connection = await Connection.connect({ address: inject('temporalAddress') })
afterAll(() => connection.close())

/** An API on the same queue, as after a restart with other settings. */
const restarted = async (key: string | undefined) => {
  const platform = await createTestPlatform({
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    ARCHIVOLT_TASK_QUEUE: queue,
    ...(key !== undefined && { ARCHIVOLT_TEMPORAL_KEY: key }),
  })
  const engine = await createEngine(platform)
  afterAll(() => engine.close())
  return { platform, call: createClient(platform, engine) }
}

let done = ''
let failed = ''
beforeAll(async () => {
  const log = '- Log: {message: noted}\n'
  await before.deploy('noting', log)
  await before.deploy('yesterday', `${log}- RunInNewTransaction: {id: noting}\n${log}`)
  await before.deploy(
    'failing',
    `${log}- RunInNewTransaction: {id: noting}\n- Document.Fetch: {value: /nowhere}\n`,
  )
  const run = async (chain: string) => {
    const { headers } = await before.call('POST', `/api/v1/automation/${chain}`, { json: {} })
    return headers.get('Archivolt-Workflow-Id') ?? ''
  }
  ;[done, failed] = [await run('yesterday'), await run('failing')]
})

describe.each([
  ['another key', 'the key of today: of 32 characters and more'],
  ['no key', undefined],
])('with %s', (_, key) => {
  let platform: Platform
  let call: ReturnType<typeof createClient>
  beforeAll(async () => {
    ;({ platform, call } = await restarted(key))
  })

  test('runs are listed and reported with what is known of them, and why there is no more', async () => {
    // Lists lag behind by some milliseconds.
    await expect.poll(async () => (await call('GET', RUNS)).json.entries?.length).toBe(2)
    const { json } = await call('GET', RUNS)
    const known = { principal: 'Administrator', unreadable: expect.stringMatching(REASON) }
    expect(json.entries).toContainEqual(
      expect.objectContaining({ ...known, workflowId: done, chainId: 'yesterday', status: 'COMPLETED' }),
    )
    const report = await call('GET', `${RUNS}/${failed}`)
    expect([report.status, report.json]).toEqual([
      200,
      expect.objectContaining({
        ...known,
        status: 'FAILED',
        failure: expect.objectContaining({ message: expect.stringContaining('/nowhere') }),
      }),
    ])
  })

  test('a result and a retry are refused by the name of the setting', async () => {
    for (const [method, path] of [
      ['GET', `/api/v1/automation/yesterday/@async/${done}`],
      ['POST', `${RUNS}/${failed}/retry`],
    ] as const) {
      const { status, json } = await call(method, path)
      expect([status, json.message]).toEqual([500, expect.stringMatching(REASON)])
    }
  })

  test('a quota counts them', async () => {
    const idle = uniqueName('idle')
    const { client } = temporalOn(connection, before.platform)
    const handle = await client.workflow.start('chain', {
      workflowId: idle,
      taskQueue: idle,
      args: [],
      memo: { principal: 'ann' },
      typedSearchAttributes: runAttributes({ chainId: 'yesterday', principal: 'ann' }),
    })
    const openRuns = createOpenRuns({ ...temporalOn(connection, platform), taskQueue: idle })
    await expect.poll(() => openRuns.list('ann', 10)).toEqual([idle])
    expect(await openRuns.isOpen(idle)).toBe(true)
    await handle.terminate()
  })
})
