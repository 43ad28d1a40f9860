import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from './server.js'

const listening = async (answer: RequestListener) => {
  const http = createHttpServer(answer).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => void http.close())
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { http, url, server: createServer({ url, user: 'ann', password: 'secret' }, AbortSignal.any([])) }
}

const MAY_BE_DONE = '. What was sent may have been done: look before you repeat it (a run: archivolt runs)'

test('a call that is cut says that it may have been done, where it changes something', async () => {
  const { server, url } = await listening(({ socket }) => void socket.destroy())
  const cut = `Cannot reach ${url}: the connection was cut`
  const post = server.call('/automation/run', { method: 'POST', body: '{}' })
  await expect(post).rejects.toMatchObject({ exitCode: 3, message: `${cut}${MAY_BE_DONE}` })
  await expect(server.call('/runs')).rejects.toMatchObject({ exitCode: 3, message: cut })
})

test('nor was anything done by a call that found nobody', async () => {
  const { http, server, url } = await listening(() => undefined)
  http.close()
  await once(http, 'close')
  await expect(server.call('/automation/run', { method: 'POST', body: '{}' })).rejects.toMatchObject({
    message: `Cannot reach ${url}: nothing listens on the port`,
  })
})
