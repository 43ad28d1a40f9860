import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { runAttributes } from '../../../../engine/index.js'
import { createPlatform } from '../../../../runtime/index.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'
import { type Answer, addUser, createClient } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const address = inject('temporalAddress')
const taskQueue = uniqueName('queue')
const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: address,
  ARCHIVOLT_TASK_QUEUE: taskQueue,
  ARCHIVOLT_OPEN_RUNS: '3',
})
const engine = await createEngine(platform)
const client = new Client({ connection: await Connection.connect({ address }) })
const call = createClient(platform, engine)

/** No worker is here, so that runs stay open until they are ended. */
const opened: string[] = []
afterAll(async () => {
  await Promise.all(opened.map(end))
  await client.connection.close()
  await engine.close()
})
const end = (id: string): Promise<unknown> =>
  client.workflow
    .getHandle(id)
    .terminate()
    .catch(() => undefined)

const RUNS = '/api/v1/automation'
const LIKE_SCHEDULED = `${taskQueue}-schedule-x`
for (const id of ['wait', 'event-1-wait', LIKE_SCHEDULED]) {
  const chain = await call('PUT', `/api/v1/contributions/chains/${id}`, {
    body: '- Log: {message: x}\n',
    headers: { 'Content-Type': 'application/yaml' },
  })
  expect(chain.status, chain.text).toBe(201)
}

const start = async (user: string, headers: Record<string, string> = {}, chain = 'wait'): Promise<Answer> => {
  const answer = await call('POST', `${RUNS}/${chain}/@async`, { user, json: {}, headers })
  if (answer.status === 202) opened.push(answer.headers.get('Archivolt-Workflow-Id') ?? '')
  return answer
}
const together = async (user: string, count: number): Promise<{ begun: string[]; refused: Answer[] }> => {
  const answers = await Promise.all(Array.from({ length: count }, () => start(user)))
  return {
    begun: answers.flatMap(({ headers }) => headers.get('Archivolt-Workflow-Id') ?? []),
    refused: answers.filter(({ status }) => status === 429),
  }
}

describe('open runs of one user', () => {
  test('are as many as may be, also when they are asked for at once, and more when one has ended', async () => {
    await addUser(platform, 'ann')
    const { begun, refused } = await together('ann', 20)
    expect([begun.length, refused.length]).toEqual([3, 17])
    expect(refused[0]?.headers.get('Retry-After')).toBe('2')
    expect(refused[0]?.json).toMatchObject({
      code: 'tooManyRequests',
      message: expect.stringContaining('User ann has 3 open runs'),
    })
    await end(begun[0] ?? '')
    await soon(async () => expect((await start('ann')).status).toBe(202))
    expect((await start('ann')).status).toBe(429)
  })

  test('are limited for each user alone, and not for administrators', async () => {
    await addUser(platform, 'bob')
    expect((await together('bob', 4)).begun).toHaveLength(3)
    expect((await together('Administrator', 8)).begun).toHaveLength(8)
  })

  test('that another process has begun are counted, and those of handlers and schedules are not', async () => {
    await addUser(platform, 'cora')
    const begin = async (workflowId: string): Promise<void> => {
      await client.workflow.start('chain', {
        taskQueue,
        workflowId,
        typedSearchAttributes: runAttributes({ chainId: 'wait', principal: 'cora' }),
      })
      opened.push(workflowId)
    }
    for (let index = 0; index < 2; index++) await begin(`event-1-${uniqueName('handler')}`)
    await begin(`${taskQueue}-schedule-nightly-2026-01-01T00:00:00Z`)
    const other = await createPlatform(platform.settings, platform.logger)
    const otherEngine = await createEngine(other)
    const elsewhere = createClient(other, otherEngine)
    const begun = await elsewhere('POST', `${RUNS}/wait/@async`, { user: 'cora', json: {} })
    opened.push(begun.headers.get('Archivolt-Workflow-Id') ?? '')
    await otherEngine.close()
    await other.close()
    await soon(async () => {
      const { count } = await client.workflow.count(`TaskQueue = '${taskQueue}' AND Principal = 'cora'`)
      expect(count).toBe(4)
    })
    expect((await together('cora', 5)).begun).toHaveLength(2)
  })

  test.each(['event-1-wait', LIKE_SCHEDULED])('are those of the chain %s, too', async (chain) => {
    const user = uniqueName('user')
    await addUser(platform, user)
    for (let index = 0; index < 3; index++) expect((await start(user, {}, chain)).status).toBe(202)
    await soon(async () => {
      const query = `TaskQueue = '${taskQueue}' AND Principal = '${user}'`
      expect((await client.workflow.count(query)).count).toBe(3)
    })
    // Long enough for them to be found by what Temporal lists alone.
    await pause(2_500)
    expect((await start(user, {}, chain)).status).toBe(429)
  })

  test('make room at once when they have ended', async () => {
    await addUser(platform, 'eve')
    for (let index = 0; index < 12; index++) {
      const { status, headers } = await start('eve')
      expect(status).toBe(202)
      await end(headers.get('Archivolt-Workflow-Id') ?? '')
    }
  })

  test('are found by their key however many are open', async () => {
    await addUser(platform, 'dora')
    const key = { 'Idempotency-Key': uniqueName('key') }
    const first = await start('dora', key)
    expect((await together('dora', 5)).begun).toHaveLength(2)
    const again = await start('dora', key)
    expect([again.status, again.headers.get('Archivolt-Workflow-Id')]).toEqual([
      202,
      first.headers.get('Archivolt-Workflow-Id'),
    ])
    expect((await start('dora', { 'Idempotency-Key': uniqueName('key') })).status).toBe(429)
  })
})
