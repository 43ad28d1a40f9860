import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { chooseOwner, reachableData, reachablePrograms } from '../owner/index.js'
import { gracefulThenKill, LOOPBACK, launchServer, type Server, whileRunning } from '../process/index.js'
import { configure } from './configuration.js'
import { fetchPrograms, type Means, VERSION } from './find.js'
import { addressOf, type Login } from './login.js'

export type ElasticsearchOptions = {
  means: Means
  dataFolder: string
  logFile: string
  port: number
  login: Login
  env: NodeJS.ProcessEnv
  /** Called for states that take time: `fetching` (Maven, once), `starting`. */
  onState?: (state: 'fetching' | 'starting', detail?: string) => void
  /** Called with the process as soon as there is one, long before it is ready. */
  onLaunch?: (server: Server) => void
  /** Ends what is being fetched; nothing is started any more. */
  signal?: AbortSignal
}

const isReady = async (host: string, { name, password }: Login): Promise<boolean> => {
  try {
    const credentials = Buffer.from(`${name}:${password}`).toString('base64')
    const response = await fetch(`http://${host}/_cluster/health`, {
      headers: { Authorization: `Basic ${credentials}` },
      signal: AbortSignal.timeout(5_000),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    // Not listening yet.
    return false
  }
}

/** Starts Elasticsearch on loopback, fetched before if need be, and resolves when it takes requests. */
export const startElasticsearch = async (
  options: ElasticsearchOptions,
): Promise<Server & { url: string }> => {
  const { means, env, signal, port, login } = options
  const onFetch = (): void => options.onState?.('fetching', 'by Maven, 107 MB once')
  const root = await fetchPrograms(means, { env, signal, onFetch })
  options.onState?.('starting')
  const owner = chooseOwner(options.dataFolder, { name: 'Elasticsearch', setting: 'ELASTICSEARCH_URL' })
  const programs = reachablePrograms({ root, name: `elasticsearch-${VERSION}` }, owner)
  const dataFolder = reachableData(options.dataFolder, owner)
  const { configuration, temporary } = configure({ port, login, dataFolder }, owner)
  const server = launchServer({
    command: 'bash',
    // Unpacked by Maven, it need not be executable.
    args: [join(programs, 'bin', 'elasticsearch')],
    logFile: options.logFile,
    env: {
      PATH: env.PATH,
      ES_JAVA_HOME: join(realpathSync(means.java), '..', '..'),
      ES_PATH_CONF: configuration,
      ES_TMPDIR: temporary,
    },
    cwd: dataFolder,
    owner,
    signal,
    stopSteps: gracefulThenKill(10_000),
  })
  options.onLaunch?.(server)
  const host = `${LOOPBACK}:${port}`
  await whileRunning('Elasticsearch', server, () => isReady(host, login))
  return { ...server, url: addressOf(login, host) }
}
