import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../run-cli.js'
import { createTerminal } from '../terminal/index.js'

const NONE = { count: 0, ids: [] }
const asked: string[] = []
let built = 0

const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') {
    const at = { createdAt: '2026-01-01T00:00:00.000Z', total: 4 }
    const indexes = [
      { name: 'old', state: 'live', ...at, done: 4 },
      { name: 'new', state: 'building', ...at, done: built },
    ]
    response.end(JSON.stringify({ 'entity-type': 'searchIndexing', indexes, failures: 0 }))
    return
  }
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

const index = async (...options: string[]) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const code = await runCli({
    arguments: ['index', ...options],
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
  expect(await index('drift', ...options)).toEqual({
    code,
    out: expect.stringContaining(text),
    err: '',
    asked: [`POST /api/v1/management/elasticsearch/drift?repair=${isRepairing}`],
  })
})

test.each([
  [3, 'new  building  3 of 4'],
  [5, 'new  building  5, catching up with what was written meanwhile'],
])('index, when %i of 4 are built', async (done, line) => {
  built = done
  const { code, out } = await index()
  expect(code).toBe(0)
  expect(out.split('\n').map((each) => each.trimEnd())).toEqual(['old  live', line, ''])
})
