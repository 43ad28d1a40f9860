import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../run-cli.js'
import { createTerminal } from '../terminal/index.js'

const NONE = { count: 0, ids: [] }
const asked: string[] = []

const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  response.setHeader('content-type', 'application/json')
  const isRepaired = request.url?.includes('repair=true')
  const missing = { count: 2, ids: ['one', 'two'] }
  response.end(
    JSON.stringify({
      'entity-type': 'searchDrift',
      ...{ documents: 9, entries: 7, missing, surplus: NONE, different: NONE, repaired: isRepaired ? 2 : 0 },
    }),
  )
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const drift = async (...options: string[]) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await runCli({
    arguments: ['index', 'drift', ...options],
    environment: {
      ARCHIVOLT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ARCHIVOLT_USER: 'Administrator',
      ARCHIVOLT_PASSWORD: 'any',
      XDG_CONFIG_HOME: '/nowhere',
    },
    terminal: createTerminal({ stdin, stdout, stderr }),
    interrupted: new AbortController().signal,
  })
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? ''), asked: asked.splice(0) }
}

test.each([
  [[], 'false', 1, '0 repaired'],
  [['--repair'], 'true', 0, '2 repaired'],
])('index drift %j', async (options, isRepairing, code, text) => {
  expect(await drift(...options)).toEqual({
    code,
    out: expect.stringContaining(text),
    err: '',
    asked: [`POST /api/v1/management/elasticsearch/drift?repair=${isRepairing}`],
  })
})
