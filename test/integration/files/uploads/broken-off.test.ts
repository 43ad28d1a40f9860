import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../../../api/app.js'
import { startServer } from '../../../../api/server.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../../../support/platform.js'
import { soon } from '../../../support/soon.js'
import { createClient } from '../../support/rest-client.js'
import { UPLOAD } from '../../support/upload-support.js'

type Line = { level: number; msg: string; path?: string; status?: number; reason?: string }

const lines: Line[] = []
const { platform } = await createTestPlatform(
  {},
  pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text)) }),
)
const server = await startServer(createApp(platform, undefined), { host: '127.0.0.1', port: 0 })
afterAll(() => server.stop(0))
const call = createClient(platform)

test.each([
  ['of a file', {}],
  [
    'of a chunk',
    {
      'X-Upload-Type': 'chunked',
      'X-Upload-Chunk-Index': 0,
      'X-Upload-Chunk-Count': 2,
      'X-File-Size': 2_000_000,
    },
  ],
])('a client that breaks off within the bytes %s is no failure of the server', async (_, more) => {
  const { json } = await call('POST', `${UPLOAD}/`)
  const path = `${UPLOAD}/${json.batchId}/0`
  const headers = {
    ...{ Host: 'localhost', 'Content-Length': 1_000_000, ...more },
    Authorization: `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`,
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${'a'.repeat(200_000)}`)
  await pause(300)
  socket.destroy()
  const of = () => lines.filter((line) => line.path === path)
  await soon(async () => expect(of().map(({ msg }) => msg)).toEqual(['client broke off', 'request']))
  expect(of().map(({ level }) => level)).toEqual([30, 30])
  expect(of()).toMatchObject([{ reason: expect.any(String) }, { status: 499 }])
  expect(lines.filter(({ level }) => level > 30)).toEqual([])
})
