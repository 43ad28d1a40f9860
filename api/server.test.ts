import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Environment } from './edge/index.js'
import { startServer } from './server.js'

/** Long enough for what is tested here, milliseconds. */
const DEADLINE_MS = 10_000

const open = async () => {
  const signals = new EventEmitter()
  const [began, released] = [once(signals, 'began'), once(signals, 'release')]
  const app = new Hono<Environment>()
  app.get('/quick', (c) => c.text('quick'))
  app.get('/slow', async (c) => {
    signals.emit('began')
    await released
    return c.text('slow')
  })
  const server = await startServer(app, { host: '127.0.0.1', port: 0 })
  const get = async (agent: Agent, path: string) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, agent })
    const answered = once(sent, 'response')
    sent.end()
    const [response] = (await answered) as [IncomingMessage]
    return { connection: response.headers.connection, body: await text(response), isKept: sent.reusedSocket }
  }
  return { server, began, release: () => signals.emit('release'), get }
}

const keeping = () => new Agent({ keepAlive: true, maxSockets: 1 })

test('while it ends, each connection is closed by the response that it waits for', async () => {
  const { server, began, release, get } = await open()
  const [idle, busy] = [keeping(), keeping()]
  expect(await get(idle, '/quick')).toMatchObject({ connection: 'keep-alive', body: 'quick' })
  const waiting = get(busy, '/slow')
  await began
  const stopped = server.stop(DEADLINE_MS)
  expect(await get(idle, '/quick')).toEqual({ connection: 'close', body: 'quick', isKept: true })
  release()
  expect(await waiting).toMatchObject({ connection: 'close', body: 'slow' })
  await stopped
  await expect(get(keeping(), '/quick')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('requests that run are aborted at the deadline', async () => {
  const { server, began, get } = await open()
  const waiting = get(keeping(), '/slow')
  const isAborted = expect(waiting).rejects.toMatchObject({ code: 'ECONNRESET' })
  await began
  await server.stop(50)
  await isAborted
})

test.each([
  ['nothing', ''],
  ['half of a head', 'POST /quick HTTP/1.1\r\nHost: x\r\nX-A: a'],
])('a connection that sends %s is closed', async (_, sent) => {
  const server = await startServer(new Hono<Environment>(), { host: '127.0.0.1', port: 0 }, { headMs: 200 })
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(sent)
  await once(socket, 'close')
  await server.stop(DEADLINE_MS)
})
