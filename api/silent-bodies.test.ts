import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { endSilentBodies } from './silent-bodies.js'

const SILENCE = 200
let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends the beginning of a body, then the rest byte by byte. @returns what came back when the connection ended. */
const send = async (
  onRequest: (request: IncomingMessage) => Promise<string>,
  { parts, pause }: { parts: readonly string[]; pause: number },
): Promise<string> => {
  server = createServer((request, response) => {
    onRequest(request).then(
      (text) => response.end(text),
      () => response.destroy(),
    )
  })
  endSilentBodies(server, SILENCE)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n')
  for (const part of parts) {
    await sleep(pause)
    if (!socket.destroyed) socket.write(part)
  }
  await ended
  return answer
}

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  request.on('data', (data) => {
    text += data
  })
  await new Promise<void>((resolve, reject) => {
    request.once('end', resolve)
    request.once('error', reject)
    request.once('close', () => reject(new Error('closed')))
  })
  return text
}

const iterate = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const part of request) text += part
  return text
}

test.each([read, iterate])('who falls silent within a body is not waited for: %o', async (reader) => {
  expect(await send(reader, { parts: ['ab'], pause: 0 })).toBe('')
})

test.each([read, iterate])('a body that comes is: %o', async (reader) => {
  expect(await send(reader, { parts: ['a', 'b', 'c', 'd'], pause: 10 })).toMatch(/abcd$/)
})

test('who waits until his body is read may', async () => {
  const later = async (request: IncomingMessage): Promise<string> => {
    await sleep(SILENCE * 3)
    return read(request)
  }
  expect(await send(later, { parts: ['abcd'], pause: 0 })).toMatch(/abcd$/)
})

test('who waits for the answer may', async () => {
  const slowly = async (request: IncomingMessage): Promise<string> => {
    const text = await read(request)
    await sleep(SILENCE * 3)
    return text
  }
  expect(await send(slowly, { parts: ['abcd'], pause: 0 })).toMatch(/abcd$/)
})
