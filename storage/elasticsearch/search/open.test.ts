import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { mergeContributions } from '../../../core/platform/contributions/index.js'
import { parseSettings } from '../../../core/platform/settings/index.js'
import { elasticsearch } from '../index.js'

test('how the engine is, is asked once: a start waits for the answer', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { healthChecks, close } = await elasticsearch.open({
    settings: parseSettings({
      DATABASE_URL: 'postgres://unused',
      ELASTICSEARCH_URL: `http://127.0.0.1:${port}`,
    }),
    logger: pino({ level: 'silent' }),
    feeds: new Map([['default', {} as never]]),
    deployed: () => ({ model: sampleModel(), contributions: mergeContributions([], []) }),
  })
  await expect(healthChecks[0]!.check()).rejects.toThrow('The search engine does not answer')
  expect(connections).toBe(1)
  await close()
  server.close()
})
