import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
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

describe('requests that are sent before earlier ones are answered', () => {
  const pipelining = async () => {
    const app = new Hono<Environment>()
    const seen = { running: 0, most: 0, begun: 0 }
    app.all('/echo/:text', async (c) => {
      seen.begun += 1
      seen.most = Math.max(seen.most, ++seen.running)
      const body = await c.req.text()
      await nextTurn()
      seen.running -= 1
      return c.text(`<${c.req.param('text')}${body}>`)
    })
    const server = await startServer(app, { host: '127.0.0.1', port: 0 })
    const open = () => {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      return socket
    }
    return { server, seen, open }
  }
  const get = (text: string) => `GET /echo/${text} HTTP/1.1\r\nHost: x\r\n\r\n`
  const post = (body: string) =>
    `POST /echo/p HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const last = 'GET /echo/last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

  test('are done one after the other, bodies as well, and answered in their order', async () => {
    const { server, seen, open } = await pipelining()
    const socket = open()
    const large = 'b'.repeat(300_000)
    socket.write(get('1') + get('2') + post('a') + get('3') + post(large) + get('4') + last)
    const said = [...(await text(socket)).matchAll(/<([^>]*)>/g)].map(([, each]) => each)
    expect(said).toEqual(['1', '2', 'pa', '3', `p${large}`, '4', 'last'])
    expect(seen).toEqual({ running: 0, most: 1, begun: 7 })
    await server.stop(DEADLINE_MS)
  })

  test('keep nobody on another connection from an answer', async () => {
    const { server, began, release, get } = await open()
    const socket = connect(server.port, '127.0.0.1')
    const slow = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(slow + slow + slow.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    await began
    expect(await get(keeping(), '/quick')).toMatchObject({ body: 'quick' })
    release()
    expect((await text(socket)).match(/slow/g)).toHaveLength(3)
    await server.stop(DEADLINE_MS)
  })

  test('end their connection when they are too many, of which few were begun', async () => {
    const { server, seen, open } = await pipelining()
    const socket = open()
    socket.write(get('many').repeat(10_000))
    socket.resume()
    await new Promise((closed) => socket.once('close', closed))
    expect(seen.begun).toBeLessThan(100)
    const other = open()
    other.write(last)
    expect(await text(other)).toContain('<last>')
    await server.stop(DEADLINE_MS)
  })
})
