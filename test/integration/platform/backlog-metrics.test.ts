import { expect, test } from 'vitest'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const { sql } = platform.database
const registry = platform.metrics.extended()

/** The value of a gauge as whoever reads the metrics finds it, by the label `state` if it has one. */
const gauge = async (name: string, state?: string): Promise<number | undefined> => {
  const metric = (await registry.getMetricsAsJSON()).find((each) => each.name === `archivolt_${name}`)
  const values = (metric?.values ?? []) as { value: number; labels: { [label: string]: unknown } }[]
  return values.find(({ labels }) => labels.repository === 'default' && labels.state === state)?.value
}

test('nothing waits in a new repository', async () => {
  expect(await gauge('failed_items')).toBe(0)
  expect([await gauge('mails', 'waiting'), await gauge('mails', 'failed')]).toEqual([0, 0])
})

test('mails that wait, and those that could not be sent, are counted apart, and those that were sent in neither', async () => {
  const states = ['waiting', 'waiting', 'waiting', 'failed', 'failed', 'sent']
  for (const state of states)
    await sql`INSERT INTO mails (message, principal, state) VALUES ('{}', 'Administrator', ${state})`
  expect([await gauge('mails', 'waiting'), await gauge('mails', 'failed')]).toEqual([3, 2])
  await sql`UPDATE mails SET state = 'sent' WHERE state = 'failed'`
  expect([await gauge('mails', 'waiting'), await gauge('mails', 'failed')]).toEqual([3, 0])
})

test('failed items of all loops are counted until they are retried', async () => {
  for (const loop of ['first', 'second']) {
    await sql`INSERT INTO loop_progress (workflow_id, step, position, total, failed) VALUES (${loop}, '1', 5, 5, 2)`
    for (const position of [1, 3])
      await sql`
        INSERT INTO loop_failures (workflow_id, step, position, status, message)
        VALUES (${loop}, '1', ${position}, 400, 'refused')`
  }
  expect(await gauge('failed_items')).toBe(4)
  await sql`DELETE FROM loop_failures WHERE workflow_id = 'first' AND position = 1`
  expect(await gauge('failed_items')).toBe(3)
})

test('the lag of the outbox is the age of the first event that the slowest reader has not read', async () => {
  await sql`DELETE FROM outbox_cursors`
  await sql`DELETE FROM outbox`
  const [MINUTE, HOUR] = [60, 3_600]
  // Transactions commit in another order than they begin: what readers read first may be written last.
  const write = (transaction: number, age: number) => sql`
    INSERT INTO outbox (event, principal, payload, transaction_id, created_at)
    VALUES ('e', 'Administrator', '{}', ${String(transaction)}, now() - ${age} * interval '1 second')`
  await write(100, MINUTE)
  await write(90, HOUR)
  expect(await gauge('outbox_lag_seconds')).toBe(0)

  await sql`INSERT INTO outbox_cursors (name, transaction_id, event_id) VALUES ('fast', 95, 0), ('slow', 90, 0)`
  const first = await gauge('outbox_lag_seconds')
  expect(first).toBeGreaterThanOrEqual(HOUR)
  expect(first).toBeLessThan(2 * HOUR)

  await sql`UPDATE outbox_cursors SET transaction_id = 91 WHERE name = 'slow'`
  const last = await gauge('outbox_lag_seconds')
  expect(last).toBeGreaterThanOrEqual(MINUTE)
  expect(last).toBeLessThan(HOUR)

  await sql`UPDATE outbox_cursors SET transaction_id = 101`
  expect(await gauge('outbox_lag_seconds')).toBe(0)
})
