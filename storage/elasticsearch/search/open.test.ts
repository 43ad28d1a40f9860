import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { IndexFeed } from '../../../core/content/stores/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { mergeContributions } from '../../../core/platform/contributions/index.js'
import { parseSettings } from '../../../core/platform/settings/index.js'
import { elasticsearch } from './open.js'

test('a check of an engine that does not answer is one attempt', async () => {
  const asked: string[] = []
  const server = createServer((request) => {
    asked.push(request.url ?? '')
    request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const search = await elasticsearch.open({
    settings: parseSettings({
      DATABASE_URL: 'postgres://unused',
      ELASTICSEARCH_URL: `http://127.0.0.1:${port}`,
    }),
    logger: pino({ level: 'silent' }),
    feeds: new Map([['default', {} as IndexFeed]]),
    deployed: () => ({ model: sampleModel(), contributions: mergeContributions([], []) }),
  })
  try {
    await expect(search.healthChecks[0]?.check()).rejects.toThrow(/search engine does not answer/)
    expect(asked).toEqual(['/_cluster/health'])
  } finally {
    await search.close()
    server.close()
  }
})
