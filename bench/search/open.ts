import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@elastic/elasticsearch'
import postgres from 'postgres'
import type { IndexSides, IndexState } from '../../core/content/stores/index.js'
import type { Platform } from '../../runtime/index.js'
import { addressOf, findMeans, newLogin } from '../../stack/elasticsearch/index.js'
import { openHome } from '../../stack/home/index.js'
import { ensureDatabase } from '../../stack/postgres/index.js'
import { freePort, LOOPBACK, startReaper } from '../../stack/process/index.js'
import { apiService, elasticsearchService, workerService } from '../../stack/services/index.js'
import type { Service } from '../../stack/supervisor/index.js'
import { openClient } from '../../storage/elasticsearch/engine/index.js'
import type { MeasureContext } from '../harness/types.js'
import { fillRepository, openPlatform } from '../repository/fill.js'

export type Searched = {
  platform: Platform
  sides: IndexSides
  client: Client
  engineUrl: string
  atEnd: MeasureContext['atEnd']
  /** Starts an API and a worker on the same repository; answers the address of the API. */
  startProduct(): Promise<string>
}

const LOOK_MS = 100

/** Waits until the repository has an index in a state. */
export const untilIndexIs = async (
  wanted: IndexState['state'],
  { sides }: Pick<Searched, 'sides'>,
): Promise<void> => {
  while (!(await sides.feed.list()).some(({ state }) => state === wanted)) await pause(LOOK_MS)
}

/**
 * A repository of its own with generated documents, and an Elasticsearch.
 *
 * @throws Error where the machine cannot run Elasticsearch.
 */
export const openSearched = async (
  { servers, atEnd }: MeasureContext,
  documents: number,
): Promise<Searched> => {
  const means = await findMeans(process.env)
  if (typeof means === 'string') throw new Error(`Elasticsearch cannot be started: ${means}`)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-'))
  const home = openHome(folder)
  const reaper = startReaper(folder)
  const { signal } = new AbortController()
  const start = (service: Service): Promise<string> =>
    service.start({
      report: () => undefined,
      signal,
      onLaunch: (server) => {
        reaper.watch(server.pid)
        atEnd(() => server.stop())
      },
    })

  const enginePort = await freePort()
  const login = newLogin()
  await start(elasticsearchService(home, { means, port: enginePort, login }))
  const engineUrl = addressOf(login, `${LOOPBACK}:${enginePort}`)
  const name = `bench_search_${Date.now()}`
  const url = new URL(servers.databaseUrl)
  url.pathname = `/${name}`
  const databaseUrl = url.href
  await ensureDatabase(servers.databaseUrl, name)
  atEnd(async () => {
    const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
    await sql`DROP DATABASE ${sql(name)} WITH (FORCE)`
    await sql.end()
  })
  const env = {
    ...servers.env,
    DATABASE_URL: databaseUrl,
    ARCHIVOLT_HOME: folder,
    ARCHIVOLT_TASK_QUEUE: name,
    ELASTICSEARCH_URL: engineUrl,
  }
  const platform = await openPlatform(env)
  atEnd(() => platform.close())
  await fillRepository(platform, { databaseUrl, documents })
  const client = await openClient(engineUrl)
  atEnd(() => client.close())
  return {
    platform,
    sides: platform.indexing.get(platform.repository)!,
    client,
    engineUrl,
    atEnd,
    startProduct: async () => {
      const port = String(await freePort())
      const apiUrl = `http://${LOOPBACK}:${port}`
      const own = { ...env, ARCHIVOLT_PORT: port }
      await start(apiService({ home, url: apiUrl, env: own }))
      await start(workerService({ home, env: own }))
      return apiUrl
    },
  }
}
