import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { createMetrics } from '../../../api/edge/index.js'
import { createHealthRoutes } from '../../../api/health/index.js'
import { databaseCheck, notificationsCheck } from '../../../runtime/databases.js'
import { createDatabase } from '../../../storage/postgres/index.js'
import { createTestDatabase } from '../../support/index.js'
import { openDatabaseGate } from '../support/database-gate.js'

const { url } = await createTestDatabase()
const gate = await openDatabaseGate(url, Math.random)
const database = createDatabase({ url: gate.url, poolSize: 2, heartbeat: { beatMs: 50, silentMs: 300 } })
afterAll(async () => {
  await database.close()
  gate.close()
})

const CHANNEL = 'test_listening'
const notify = (payload: string) => database.sql`SELECT pg_notify(${CHANNEL}, ${payload})`

const isUp = (): boolean => {
  try {
    database.listening.check()
    return true
  } catch {
    return false
  }
}

test('a connection that is dead without being closed is reported, and replaced', async () => {
  const received: string[] = []
  let listens = 0
  const end = await database.listening.listen(
    CHANNEL,
    (payload) => void received.push(payload),
    () => void listens++,
  )
  expect([isUp(), listens]).toEqual([true, 1])
  await notify('before')
  await expect.poll(() => received).toEqual(['before'])
  gate.stallListening()
  await notify('lost')
  await expect.poll(isUp, { interval: 10 }).toBe(false)
  await expect.poll(() => listens).toBeGreaterThan(1)
  await expect.poll(isUp).toBe(true)
  await notify('after')
  await expect.poll(() => received).toContain('after')
  expect(received).not.toContain('lost')
  await end()
})

test('several may listen to one channel, each until it ends', async () => {
  const received: string[] = []
  const listen = (name: string) =>
    database.listening.listen(
      'test_shared',
      () => void received.push(name),
      () => void received.push(`${name} listens`),
    )
  const endFirst = await listen('first')
  const endSecond = await listen('second')
  await endFirst()
  await database.sql`SELECT pg_notify('test_shared', '')`
  await expect.poll(() => received).toEqual(['first listens', 'second listens', 'second'])
  await endSecond()
})

test('a process is not ready while its connection that listens is silent', async () => {
  const named = { name: 'default', database }
  const routes = createHealthRoutes({
    checks: [databaseCheck(named), notificationsCheck(named)],
    metrics: createMetrics(new Registry()),
  })
  const readiness = async () => {
    const answer = await routes.request('/health/ready')
    const { dependencies } = (await answer.json()) as { dependencies: { name: string; state: string }[] }
    return [answer.status, ...dependencies.map(({ name, state }) => `${name} ${state}`)]
  }
  const end = await database.listening.listen(
    'test_ready',
    () => undefined,
    () => undefined,
  )
  await expect.poll(readiness).toEqual([200, 'database up', 'notifications up'])
  // New connections are cut, so that the silent one is not replaced before anyone has looked.
  gate.greet('cut')
  gate.stallListening()
  await expect.poll(readiness).toEqual([503, 'database up', 'notifications down'])
  gate.greet('none')
  await expect.poll(readiness).toEqual([200, 'database up', 'notifications up'])
  await end()
})
