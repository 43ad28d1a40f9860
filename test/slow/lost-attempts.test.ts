import { fileURLToPath } from 'node:url'
import { Context } from '@temporalio/activity'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { failing } from '../../activities/failure.js'
import { endingLostAttempts } from '../../activities/lost-attempts.js'
import { uniqueName } from '../support/template.js'

/** Attempts of work during which the process stands still, until Temporal gives them up. */

const taskQueue = uniqueName('queue')
const address = inject('temporalAddress')
const connection = await NativeConnection.connect({ address })
const client = new Client({ connection: await Connection.connect({ address }) })

/** Longer than Temporal waits for a heartbeat, and for its own timer. */
const STANDING_MS = 3_000

/** The process does nothing else, its heartbeats among it. */
const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Numbers of the attempts that have begun, by kind. */
const begun: { [kind: string]: number[] } = {}

const works: { [kind: string]: (attempt: number) => string | Promise<string> } = {
  blocks: () => {
    standStill(STANDING_MS)
    return 'never in time'
  },
  // As often as a database may be away.
  fails: (attempt) => {
    if (attempt <= 14) throw new Error('the database is away')
    return 'done'
  },
}

const work = (kind: string): Promise<string> =>
  failing(() =>
    endingLostAttempts(async (report) => {
      const { attempt } = Context.current().info
      begun[kind] = [...(begun[kind] ?? []), attempt]
      report({ position: attempt, total: 99 })
      return works[kind]!(attempt)
    }),
  )

let worker: Worker
let running: Promise<void>
beforeAll(async () => {
  const workflowsPath = fileURLToPath(new URL('./lost-attempts-workflow.ts', import.meta.url))
  const activities = { work }
  worker = await Worker.create({ connection, taskQueue, workflowsPath, activities })
  running = worker.run()
})
afterAll(async () => {
  worker.shutdown()
  await running
  await connection.close()
  await client.connection.close()
})

const run = (kind: string): Promise<string> =>
  client.workflow.execute('attempts', { taskQueue, workflowId: uniqueName('attempts'), args: [kind] })

test('work that errors of its own end is tried again as long as it takes', async () => {
  expect(await run('fails')).toBe('done')
  expect(begun.fails).toHaveLength(15)
})

test('work with which each process stands still ends', async () => {
  await expect(run('blocks')).rejects.toMatchObject({
    cause: { cause: { type: 'timeout', nonRetryable: true, message: expect.stringMatching(/^10 workers/) } },
  })
  // The first is not counted, and a process that stands still is handed some that are given up meanwhile.
  expect(begun.blocks!.length).toBeGreaterThanOrEqual(11)
  expect(begun.blocks!.length).toBeLessThan(20)
})
