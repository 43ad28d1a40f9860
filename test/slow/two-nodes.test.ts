import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Server } from '../../stack/process/index.js'
import { AUTHORIZATION, openOwnServers } from './own-servers.js'

/** Two APIs and two workers on one database and one Temporal: what becomes of the one when the other is in trouble. */

const servers = await openOwnServers()
const { apiUrl, call, startApi, startWorker } = servers
const otherUrl = await servers.furtherUrl()
const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
const temporal = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) })
afterAll(async () => {
  await sql.end()
  await temporal.connection.close()
})

let api: Server
let workers: Server[]
beforeAll(async () => {
  api = await startApi()
  await startApi(otherUrl)
  workers = [await startWorker(), await startWorker()]
})

const deploy = (point: string, name: string, body: string): Promise<Response> =>
  call(`contributions/${point}/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body,
    expected: 201,
  })

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => agent.destroy())

/** A request on a connection that is kept. @throws what becomes of the connection. */
const send = async (
  base: string,
  {
    path,
    method = 'GET',
    headers = {},
    body,
  }: { path: string; method?: string; headers?: object; body?: string },
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> => {
  const sent = request(`${base}${path}`, {
    agent,
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', ...headers },
  })
  const answered = once(sent, 'response')
  sent.end(body)
  const [response] = (await answered) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

const CALL = { method: 'POST', body: JSON.stringify({ params: {}, context: {} }) }

test('each response names its node, and so do its logs and metrics', async () => {
  const named = async (base: string) =>
    (await send(base, { path: '/api/v1/me' })).headers['x-archivolt-node'] as string
  const [one, other] = [await named(apiUrl), await named(otherUrl)]
  expect(one).not.toBe(other)
  const metrics = await send(apiUrl, { path: '/metrics' })
  expect(metrics.body).toContain(`node="${one}"`)
})

test('what one has answered for decides the next request to the other', async () => {
  for (let round = 0; round < 8; round++) {
    const point = 'contributions/scripts/Test.Nodes'
    await call(point, {
      method: 'PUT',
      headers: { 'content-type': 'application/yaml' },
      body: `script: "function run() { return 'round ${round}' }"\n`,
      expected: round === 0 ? 201 : 200,
    })
    const { body } = await send(otherUrl, { path: '/api/v1/automation/Test.Nodes', ...CALL })
    expect(JSON.parse(body).value).toBe(`round ${round}`)
  }
})

describe('an API process that is killed', () => {
  /** How long Temporal may leave a task with a dead process, and how late it may be on a machine that is busy. */
  const LEFT_MS = 2_000
  const LATE_MS = 3_000

  /** Milliseconds for which tasks of a run were with a process that did not end them. */
  const leftTasks = async (workflowId: string): Promise<number[]> => {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory()
    const at = (id: unknown): number => {
      const { seconds, nanos } =
        events?.find(({ eventId }) => String(eventId) === String(id))?.eventTime ?? {}
      return Number(seconds) * 1_000 + Number(nanos) / 1e6
    }
    return (events ?? []).flatMap(({ eventId, workflowTaskTimedOutEventAttributes: timedOut }) => {
      if (!timedOut) return []
      const { startedEventId, scheduledEventId } = timedOut
      return at(eventId) - at(Number(startedEventId) > 0 ? startedEventId : scheduledEventId)
    })
  }

  test('leaves no task to wait for longer than two seconds, and no call unanswered', async () => {
    await deploy('chains', 'part', '- Log: {message: part}\n')
    await deploy('chains', 'parts', '- RunInNewTransaction: {id: part}\n- RunInNewTransaction: {id: part}\n')
    await deploy(
      'chains',
      'whole',
      '- RunInNewTransaction: {id: parts}\n- RunInNewTransaction: {id: parts}\n',
    )
    let isOver = false
    const runs: string[] = []
    // Temporal may know keys of earlier executions of this test.
    const own = randomUUID()
    /** Milliseconds that each call of the other node took, which nobody sends to the one that is killed. */
    const elapsed: number[] = []
    const run = async (base: string, headers: object = {}): Promise<void> => {
      const answer = await send(base, { path: '/api/v1/automation/whole', ...CALL, headers })
      expect([200, 204], answer.body).toContain(answer.status)
      runs.push(String(answer.headers['archivolt-workflow-id']))
    }
    const calling = async (): Promise<void> => {
      while (!isOver) {
        const begun = performance.now()
        await run(otherUrl)
        elapsed.push(performance.now() - begun)
      }
    }
    /** Goes on at the other when the first is gone, under the same key. */
    const retrying = async (caller: number): Promise<void> => {
      for (let round = 0; ; round++) {
        const key = { 'idempotency-key': `${own}-${caller}-${round}` }
        const isGone = await run(apiUrl, key).then(
          () => false,
          (error: NodeJS.ErrnoException) => {
            if (!error.code?.startsWith('ECONN')) throw error
            return true
          },
        )
        if (isGone) return run(otherUrl, key)
      }
    }
    const callers = [...[0, 1, 2].map(calling), ...[0, 1, 2].map(retrying)]
    await expect.poll(() => runs.length).toBeGreaterThan(20)
    process.kill(api.pid, 'SIGKILL')
    const before = elapsed.splice(0)
    await sleep(4_000)
    isOver = true
    await Promise.all(callers)
    api = await startApi()
    const left = (await Promise.all(runs.slice(-40).map(leftTasks))).flat()
    // Those of the runs that went on at the other node.
    expect(left.length).toBeGreaterThan(0)
    expect(Math.max(...left)).toBeLessThan(LEFT_MS + LATE_MS)
    // As a run takes here, and no longer than one task that was left.
    expect(Math.max(...elapsed)).toBeLessThan(2 * Math.max(...before) + LEFT_MS + LATE_MS)
  })
})

describe('a worker that hangs', () => {
  test('holds handlers after the commit up for seconds alone', async () => {
    await deploy('chains', 'note', '- Log: {message: noted}\n')
    await deploy('eventHandlers', 'noting', 'events: [documentCreated]\nchain: note\npostCommit: true\n')
    const cursor = async (): Promise<string> => {
      const [row] = await sql`SELECT transaction_id FROM outbox_cursors WHERE name = 'event-handlers'`
      return String(row?.transaction_id)
    }
    const create = (name: string) =>
      call('path/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'entity-type': 'document', type: 'File', name }),
        expected: 201,
      })
    // Whoever reads the outbox is stopped while its transaction holds the cursor.
    const hang = async (): Promise<Server> => {
      for (let index = 0; ; index++) {
        await create(`hang-${index}`)
        for (let look = 0; look < 200; look++) {
          const owner = workers[look % 2]!
          process.kill(owner.pid, 'SIGSTOP')
          const isHeld = await sql.begin(async (tx) => {
            const free =
              await tx`SELECT FROM outbox_cursors WHERE name = 'event-handlers' FOR UPDATE SKIP LOCKED`
            return free.length === 0
          })
          // The other one may hold it as well.
          if (isHeld) {
            await sleep(200)
            const [still] = await sql`
              SELECT count(*)::int AS held FROM pg_locks l JOIN pg_stat_activity a USING (pid)
              WHERE l.relation = 'outbox_cursors'::regclass AND a.state = 'idle in transaction'
                AND a.state_change < clock_timestamp() - interval '150 milliseconds'`
            if (still?.held > 0) return owner
          }
          process.kill(owner.pid, 'SIGCONT')
          await sleep(Math.random() * 20)
        }
      }
    }
    const owner = await hang()
    const before = await cursor()
    const begun = performance.now()
    await create('waiting')
    await expect.poll(cursor, { timeout: 120_000, interval: 100 }).not.toBe(before)
    expect(performance.now() - begun).toBeLessThan(30_000)
    process.kill(owner.pid, 'SIGCONT')
  })
})

describe('an API process that is asked to end', () => {
  test('resets no connection that its clients are using', async () => {
    let isOver = false
    const failures: string[] = []
    let answered = 0
    const client = async (): Promise<void> => {
      while (!isOver) {
        try {
          await send(apiUrl, { path: '/api/v1/path/' })
          answered++
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException
          // Nobody listens any more: the way on is the other node.
          if (code === 'ECONNREFUSED') return
          failures.push(String(code))
        }
      }
    }
    for (let round = 0; round < 2; round++) {
      const clients = Array.from({ length: 8 }, client)
      const before = answered
      await expect.poll(() => answered).toBeGreaterThan(before + 50)
      process.kill(api.pid, 'SIGTERM')
      expect(await api.exited).toEqual({ code: 0, signal: null })
      await Promise.all(clients)
      api = await startApi()
    }
    isOver = true
    expect(failures).toEqual([])
  })
})
