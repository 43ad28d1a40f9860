import { connect, createServer, type Socket } from 'node:net'
import { afterAll, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Temporal by way of a gate that can be closed. */
const openGate = async () => {
  const [host, port] = inject('temporalAddress').split(':')
  const sockets = new Set<Socket>()
  let isOpen = true
  const gate = createServer((incoming) => {
    if (!isOpen) return incoming.destroy()
    const outgoing = connect(Number(port), host)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        incoming.destroy()
        outgoing.destroy()
      })
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const address = gate.address()
  const shut = (): void => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  afterAll(() => {
    shut()
    gate.close()
  })
  return {
    address: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    shut,
    open: () => {
      isOpen = true
    },
  }
}

/** The pause between two attempts ends at 2 s; a growing one would be longer than `MAX_BACK_MS` after this time. */
const AWAY_MS = 15_000
const MAX_BACK_MS = 6_000

const gate = await openGate()
const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: gate.address,
  // Workers of other tests poll the usual one.
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

type Dependency = { name: string; state: string }

const readiness = async () => {
  const { status, json } = await call('GET', '/health/ready', { user: null })
  const stateOf = (wanted: string) => json.dependencies.find(({ name }: Dependency) => name === wanted)?.state
  return { status, state: json.state, temporal: stateOf('temporal'), workers: stateOf('workers') }
}

const start = () => call('POST', '/api/v1/automation/noted/@async', { json: {} })

test('readiness and calls of chains agree on whether Temporal is there', async () => {
  void engine.startEmbeddedWorker()
  const headers = { 'Content-Type': 'application/yaml' }
  const body = '- Log: {message: noted}\n'
  expect((await call('PUT', '/api/v1/contributions/chains/noted', { body, headers })).status).toBe(201)
  await expect.poll(async () => (await start()).status).toBe(202)
  await expect
    .poll(readiness)
    .toEqual({ status: 200, state: 'degraded', temporal: 'up', workers: 'degraded' })

  gate.shut()
  await expect
    .poll(readiness)
    .toEqual({ status: 200, state: 'degraded', temporal: 'degraded', workers: 'degraded' })
  const askedAt = performance.now()
  const refused = await start()
  // Temporal's client would try for some twenty seconds.
  expect(performance.now() - askedAt).toBeLessThan(8_000)
  expect(refused.status).toBe(503)
  expect(refused.json.message).toBe('Temporal cannot be reached or does not respond')
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)

  gate.open()
  await expect
    .poll(readiness)
    .toEqual({ status: 200, state: 'degraded', temporal: 'up', workers: 'degraded' })
  expect((await start()).status).toBe(202)
})

test('Temporal that comes late is found within seconds, however long it was away', {
  timeout: 90_000,
}, async () => {
  gate.shut()
  for (const end = performance.now() + AWAY_MS; performance.now() < end; )
    expect((await readiness()).temporal).toBe('degraded')
  gate.open()
  const openedAt = performance.now()
  await expect.poll(async () => (await readiness()).temporal, { timeout: 60_000, interval: 50 }).toBe('up')
  expect(performance.now() - openedAt).toBeLessThan(MAX_BACK_MS)
})
