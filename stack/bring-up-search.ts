import { addressOf, findMeans, newLogin } from './elasticsearch/index.js'
import type { Home } from './home/index.js'
import { describeFailure, LOOPBACK } from './process/index.js'
import type { Progress } from './progress/index.js'
import { elasticsearchService } from './services/index.js'
import type { StackSettings } from './settings.js'
import type { Supervisor } from './supervisor/index.js'

type SearchOptions = {
  settings: StackSettings
  home: Home
  progress: Progress
  supervisor: Supervisor
  signal: AbortSignal
  /** Called when there is no Elasticsearch that is being started here: it answers, cannot, or is another one. */
  onSearch: () => void
}

const NAME = 'elasticsearch'

/** What API and worker are notified of the index. */
type SearchEnvironment = { ELASTICSEARCH_URL?: string; ARCHIVOLT_ELASTICSEARCH?: 'off' }

/**
 * Starts Elasticsearch, for which nothing waits: until it is there, and wherever it cannot be, the database answers
 * searches. It is fetched and launched when all else is ready, so that it takes no processor time from that.
 *
 * @param options `port`: of the server that is started here; absent when an external one is used, or none; `others`:
 *   resolves when all else is ready.
 * @returns at once, what API and worker are to know.
 */
export const bringUpSearch = async (
  { settings: { elasticsearch }, home, progress, supervisor, signal, onSearch }: SearchOptions,
  { port, others }: { port: number | undefined; others: Promise<void> },
): Promise<SearchEnvironment> => {
  const withoutIt = (reason: string): SearchEnvironment => {
    progress.say(`The database answers searches: ${reason}.`)
    onSearch()
    return { ARCHIVOLT_ELASTICSEARCH: 'off' }
  }
  if (!elasticsearch.isEnabled) return withoutIt('ARCHIVOLT_ELASTICSEARCH is off')
  if (elasticsearch.url || port === undefined) {
    progress.set(NAME, 'external', new URL(elasticsearch.url ?? '').host)
    onSearch()
    return {}
  }
  const means = await findMeans(process.env)
  if (typeof means === 'string') return withoutIt(means)
  const login = newLogin()
  progress.set(NAME, 'waiting')
  const launch = async (): Promise<void> => {
    await others
    if (!signal.aborted) await supervisor.run(elasticsearchService(home, { means, port, login }))
  }
  launch()
    .catch((error: unknown) => {
      if (signal.aborted) return
      progress.set(NAME, 'failed', 'the database answers searches')
      progress.say(describeFailure(error, home.folder))
    })
    .finally(onSearch)
  return { ELASTICSEARCH_URL: addressOf(login, `${LOOPBACK}:${port}`) }
}
