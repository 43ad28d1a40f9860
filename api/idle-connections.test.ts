import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endIdleConnections } from './idle-connections.js'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

let server: Server
let answer: () => void = () => undefined
const sockets: Socket[] = []

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.headers.later) answer = () => response.end('later')
    else response.end('now')
  })
  endIdleConnections(server, 3)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const open = async (): Promise<Socket & { text: string }> => {
  const socket = Object.assign(connect((server.address() as AddressInfo).port, '127.0.0.1'), { text: '' })
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    socket.text += data
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return socket
}

test('of connections without a request those that have waited longest are closed', async () => {
  const first = await open()
  const second = await open()
  await open()
  first.write(REQUEST)
  await expect.poll(() => first.text).toContain('now')
  // The first one waits since its answer.
  await open()
  await expect.poll(() => second.destroyed).toBe(true)
  expect(first.destroyed).toBe(false)
})

test('a connection whose request is being answered is none of them', async () => {
  const asking = await open()
  asking.write(REQUEST.replace('\r\n\r\n', '\r\nLater: yes\r\n\r\n'))
  await new Promise<void>((resolve) => server.once('request', () => resolve()))
  const others = [await open(), await open(), await open(), await open()]
  await expect.poll(() => others[0]?.destroyed).toBe(true)
  answer()
  await expect.poll(() => asking.text).toContain('later')
})
