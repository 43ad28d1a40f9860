import { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import { afterAll, inject } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { ensureSearchAttributes } from '../../../engine/index.js'
import { createAutomationRuntime, type Platform } from '../../../runtime/index.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../../support/platform.js'
import { startTestWorker } from '../../support/start-worker.js'
import { uniqueName } from '../../support/template.js'
import { type Traces, watchTables } from '../../support/watch-tables.js'
import { type Answer, type Call, USER_PASSWORD } from './rest-client.js'

export type Caller = (method: string, path: string, call?: Call) => Promise<Answer>

/** What a refused call must leave as it was: every table that one could write to. */
const TABLES = [
  'documents',
  'document_acls',
  'acls',
  'outbox',
  'receipts',
  'transient_entries',
  'contributions',
]

export type TestService = {
  platform: Platform
  call: Caller
  traces(): Promise<Traces>
  /** Deploys a chain from YAML or fails the test. */
  deploy(id: string, yaml: string): Promise<void>
  app: ReturnType<typeof createApp>
  /** Transactions of this service's database that are open and wait for their next statement. */
  openTransactions(): Promise<number>
}

const authorization = (user: string): string =>
  `Basic ${Buffer.from(`${user}:${user === 'Administrator' ? ADMIN_PASSWORD : USER_PASSWORD}`).toString('base64')}`

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The whole product but for its sockets: the HTTP edge, and a worker on a task queue of its own.
 *
 * @param logger of the platform; absent: nothing is logged.
 */
export const createTestService = async (
  environment: NodeJS.ProcessEnv = {},
  logger?: Logger,
): Promise<TestService> => {
  const address = inject('temporalAddress')
  const { platform, settings } = await createTestPlatform(
    {
      TEMPORAL_ADDRESS: address,
      ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
      ...environment,
    },
    logger,
  )
  const connection = await NativeConnection.connect({ address })
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const runtime = await createAutomationRuntime(platform)
  const stopWorker = await startTestWorker({ connection, settings, platform, runtime })
  const engine = await createEngine(platform)
  const app = createApp(platform, engine)
  const { sql } = platform.database
  const traces = await watchTables(sql, TABLES)
  afterAll(async () => {
    await stopWorker()
    await runtime.close()
    await engine.close()
    await connection.close()
  })

  const call: Caller = async (method, path, { user = 'Administrator', headers, json, body } = {}) => {
    const sent = new Headers(headers)
    if (user !== null && !sent.has('Authorization')) sent.set('Authorization', authorization(user))
    if (json !== undefined && !sent.has('Content-Type')) sent.set('Content-Type', 'application/json')
    const content = json === undefined ? body : JSON.stringify(json)
    const response = await app.request(path, {
      method,
      headers: sent,
      ...(content !== undefined && { body: content, duplex: 'half' }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

  return {
    platform,
    call,
    app,
    traces,
    deploy: async (id, yaml) => {
      const path = `/api/v1/contributions/chains/${encodeURIComponent(id)}`
      const answer = await call('PUT', path, { body: yaml, headers: { 'Content-Type': 'application/yaml' } })
      if (answer.status > 201) throw new Error(`${id} was not deployed: ${answer.text}`)
    },
    openTransactions: async () => {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
      return row?.count ?? 0
    },
  }
}

/** The JSON of an automation call with a file as its input. */
export const withFile = (
  json: unknown,
  file = new File(['hello'], 'hello.txt', { type: 'text/plain' }),
): Call => {
  const body = new FormData()
  body.append('params', new Blob([JSON.stringify(json)], { type: 'application/json' }))
  body.append('input', file)
  return { body }
}
