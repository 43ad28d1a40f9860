import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { endUnreadAnswers, type UnreadBounds } from './unread-answers.js'

const MIB = 1024 ** 2
/** More than the system takes for a client that reads nothing. */
const ANSWER = Buffer.alloc(16 * MIB)

let server: Server
let opened = 0
const sockets: Socket[] = []

const listen = async (bounds: UnreadBounds): Promise<void> => {
  server = createServer((_, response) => response.end(ANSWER))
  opened = 0
  server.on('connection', () => opened++)
  endUnreadAnswers(server, bounds, 20)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const ask = (user: string): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAuthorization: ${user}\r\n\r\n`)
  sockets.push(socket)
  return socket
}

const readAll = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    let length = 0
    socket.on('data', (data) => {
      length += data.byteLength
      if (length > ANSWER.byteLength) resolve(length)
    })
    socket.once('close', () => resolve(length))
    socket.resume()
  })

const connectionsOf = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)))

test('a client that reads nothing loses what is beyond its share', async () => {
  await listen({ each: 40 * MIB, all: 1_000 * MIB, momentMs: 50 })
  for (let asked = 0; asked < 8; asked++) ask('eve')
  await expect.poll(() => opened).toBe(8)
  await expect.poll(connectionsOf).toBeLessThanOrEqual(4)
  expect(await connectionsOf()).toBeGreaterThan(0)
})

test('whoever has the most waiting loses first', async () => {
  await listen({ each: 1_000 * MIB, all: 60 * MIB, momentMs: 50 })
  const own = ask('ann')
  for (let asked = 0; asked < 4; asked++) ask('eve')
  await expect.poll(() => opened).toBe(5)
  await expect.poll(connectionsOf).toBeLessThanOrEqual(4)
  expect(await readAll(own)).toBeGreaterThan(ANSWER.byteLength)
})

test('whoever reads is answered, however often', async () => {
  await listen({ each: 10 * MIB, all: 1_000 * MIB, momentMs: 30_000 })
  const lengths = await Promise.all(Array.from({ length: 12 }, () => readAll(ask('ann'))))
  for (const length of lengths) expect(length).toBeGreaterThan(ANSWER.byteLength)
})
