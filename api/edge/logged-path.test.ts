import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createLogger } from '../../core/platform/telemetry/index.js'
import type { Environment } from './environment.js'
import { observeRequests } from './observe.js'

test('a request is logged with the beginning of its path, however long that is', async () => {
  const lines: { path: string; msg: string }[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLogger({ service: 'test', node: 'test', level: 'info', destination })
  const app = new Hono<Environment>()
  app.use(observeRequests({ logger, metrics: { observe: () => {} } as never, node: 'test' }))
  for (const path of ['/api/v1/path/a', `/api/v1/path/${'a'.repeat(15_500)}`]) await app.request(path)
  expect(lines.map(({ path }) => path.length)).toEqual([14, 500])
  expect(lines[0]).toMatchObject({ path: '/api/v1/path/a', msg: 'request' })
})
