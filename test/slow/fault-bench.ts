import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, expect } from 'vitest'
import { testSeed } from '../support/random.js'
import { afterFailure } from './after-failure.js'
import { createFaultClient, type FaultClient, patiently } from './fault-client.js'
import type { Kill } from './fault-plan.js'
import { startFaultStack } from './fault-stack.js'

type Row = { [column: string]: unknown }

export type FaultBench = {
  /** A failing run is repeated by `ARCHIVOLT_TEST_SEED=… npm run test:slow`. */
  seed: number
  call: FaultClient
  /** What a statement finds, asked until the database answers. */
  rows<Found extends Row>(statement: string, ...values: string[]): Promise<Found[]>
  /** Makes a folder; answers its id. */
  folder(parent: string, name: string, size?: number): Promise<string>
  deploy(id: string, yaml: string): Promise<void>
  /** Carries out a plan while work goes on; answers how many servers were killed. */
  killAlong(plan: readonly Kill[], progress: () => Promise<number>): Promise<number>
  /** Fails when a transaction is left open, or a server has ended by itself. */
  expectCalm(): Promise<void>
}

/** A stack to be killed, and what the tests ask of it. Call it at the top level of a test file. */
export const createFaultBench = async (
  options: Parameters<typeof startFaultStack>[0] = {},
): Promise<FaultBench> => {
  const seed = testSeed()
  process.stdout.write(`fault test: ARCHIVOLT_TEST_SEED=${seed}\n`)
  const stack = await startFaultStack(options)
  const log = async (title: string): Promise<void> => {
    const report = await stack.report()
    process.stdout.write(`${new Date().toISOString()} ${title}\n${report}\n`)
  }
  const call = createFaultClient(stack.apiUrl, (silent) => void log(`${silent} is not answered`))
  const connect = (): postgres.Sql => postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined })
  let sql = connect()
  afterAll(async () => {
    await sql.end({ timeout: 1 })
    await stack.stop()
  })

  // Hooks run last first: while the servers are there.
  afterFailure(() => log('The test has failed'))

  const rows: FaultBench['rows'] = <Found extends Row>(statement: string, ...values: string[]) =>
    patiently(async () => {
      try {
        return [...(await sql.unsafe<Found[]>(statement, values))]
      } catch (error) {
        // This process has the driver as it is, which may not get over the loss of its connection.
        void sql.end({ timeout: 0 })
        sql = connect()
        throw error
      }
    })

  /** A committed or rolled back transaction is gone at once; one that nobody ends stays. */
  const openTransactions = (): Promise<Row[]> =>
    rows(`SELECT pid, state, left(query, 100) AS query FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend'
            AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`)

  return {
    seed,
    call,
    rows,

    folder: async (parent, name, size = 0) => {
      const properties = { 'common:size': size }
      const body = { 'entity-type': 'document', type: 'Folder', name, properties }
      const response = await call('POST', `/api/v1/path${parent}`, { body })
      expect(response.status).toBe(201)
      return ((await response.json()) as { uid: string }).uid
    },

    deploy: async (id, yaml) => {
      const response = await call('PUT', `/api/v1/contributions/chains/${id}`, { body: yaml })
      expect(response.status, await response.clone().text()).toBe(201)
    },

    killAlong: async (plan, progress) => {
      let killed = 0
      for (const kill of plan) {
        while ((await progress()) < kill.progress) await sleep(2)
        await sleep(kill.delayMs)
        if (await stack.kill(kill.victim)) killed++
        else {
          // It is still down from an earlier kill, and takes another one when it is back.
          await stack.settled()
          if (await stack.kill(kill.victim)) killed++
        }
      }
      return killed
    },

    expectCalm: async () => {
      await stack.settled()
      await expect.poll(openTransactions).toEqual([])
      expect(stack.deaths).toEqual([])
    },
  }
}
