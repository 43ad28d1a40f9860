import { expect, test } from 'vitest'
import { bringUpSearch } from './bring-up-search.js'
import { findMeans } from './elasticsearch/index.js'
import type { Home } from './home/index.js'
import type { StackSettings } from './settings.js'

const fixture = (elasticsearch: Partial<StackSettings['elasticsearch']>) => {
  const events: string[] = []
  const ending = new AbortController()
  const options = {
    settings: { elasticsearch: { isEnabled: true, ...elasticsearch } } as StackSettings,
    home: { folder: '/home' } as Home,
    progress: {
      set: (name: string, state: string) => void events.push(`${name} ${state}`),
      begin: () => undefined,
      say: (text: string) => void events.push(text),
      freeze: () => undefined,
    },
    supervisor: {
      run: async ({ name }: { name: string }) => void events.push(`${name} is run`),
      stop: async () => undefined,
      kill: () => undefined,
      endLeftovers: async () => undefined,
    },
    signal: ending.signal,
    onSearch: () => void events.push('announced'),
  }
  return { events, options, stop: () => ending.abort() }
}

const canStart = typeof (await findMeans(process.env)) !== 'string'

test.skipIf(!canStart)('Elasticsearch is launched when all else is ready', async () => {
  const { events, options } = fixture({})
  let tellReady = (): void => undefined
  const others = new Promise<void>((resolve) => {
    tellReady = resolve
  })
  const environment = await bringUpSearch(options, { port: 9200, others })
  expect(environment.ELASTICSEARCH_URL).toMatch(/@127\.0\.0\.1:9200$/)
  expect(events).toEqual(['elasticsearch waiting'])
  tellReady()
  await expect.poll(() => events).toEqual(['elasticsearch waiting', 'elasticsearch is run', 'announced'])
})

test.skipIf(!canStart)('nor is it launched after a stop', async () => {
  const { events, options, stop } = fixture({})
  stop()
  await bringUpSearch(options, { port: 9200, others: Promise.resolve() })
  await expect.poll(() => events).toEqual(['elasticsearch waiting', 'announced'])
})

test.each([
  [{ isEnabled: false }, 'The database answers searches: ARCHIVOLT_ELASTICSEARCH is off.'],
  [{ url: 'http://search.example:9200' }, 'elasticsearch external'],
])('nothing is launched with %j', async (settings, line) => {
  const { events, options } = fixture(settings)
  await bringUpSearch(options, { port: undefined, others: Promise.resolve() })
  expect(events.toSorted()).toEqual([line, 'announced'].toSorted())
})
