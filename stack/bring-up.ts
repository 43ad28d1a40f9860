import { bringUpSearch } from './bring-up-search.js'
import { choosePorts, type Ports } from './choose-ports.js'
import type { AdministratorPassword, Home } from './home/index.js'
import { LOOPBACK } from './process/index.js'
import type { Progress } from './progress/index.js'
import {
  apiService,
  buildApi,
  buildWorker,
  checkDatabase,
  checkTemporal,
  chooseNode,
  describeNode,
  postgresService,
  temporalService,
  waitForChains,
  workerService,
} from './services/index.js'
import type { StackSettings } from './settings.js'
import type { Supervisor } from './supervisor/index.js'

export type BringUpOptions = {
  settings: StackSettings
  home: Home
  password: AdministratorPassword
  progress: Progress
  supervisor: Supervisor
  signal: AbortSignal
  /** Called when Temporal answers. */
  onTemporal: () => void
  /** Called when there is no Elasticsearch that is being started here: it answers, cannot, or is another one. */
  onSearch: () => void
}

export type Addresses = { apiUrl: string; temporalUi?: string }

/** Resolves with the address of the product's database when it can be used. */
const bringUpDatabase = async (options: BringUpOptions, port: number | undefined): Promise<string> => {
  const { settings, home, progress, supervisor } = options
  if (settings.databaseUrl || port === undefined) {
    const url = settings.databaseUrl ?? ''
    progress.set('postgres', 'external', await checkDatabase(url))
    return url
  }
  let address = ''
  const onReady = (url: string): void => {
    address = url
  }
  await supervisor.run(postgresService(home, port, onReady))
  return address
}

const bringUpTemporal = async (options: BringUpOptions, ports: Ports['temporal']): Promise<void> => {
  const { settings, home, progress, supervisor } = options
  if (ports) return supervisor.run(temporalService(home, ports))
  progress.set('temporal', 'external', await checkTemporal(settings.temporalAddress ?? ''))
}

/** The environment of API and worker. Whichever of the two is first creates the administrator, with one password. */
const serverEnvironment = (options: BringUpOptions, ports: Ports): NodeJS.ProcessEnv => {
  const { settings, home, password } = options
  return {
    TEMPORAL_ADDRESS: settings.temporalAddress ?? `${LOOPBACK}:${ports.temporal?.port}`,
    ARCHIVOLT_HOME: home.folder,
    ARCHIVOLT_PORT: String(settings.port),
    ARCHIVOLT_HOST: settings.host,
    ...settings.passwords,
    ARCHIVOLT_TEMPORAL_UI:
      settings.temporalUi ?? (ports.temporal && `http://${LOOPBACK}:${ports.temporal.uiPort}`),
    ...(password.origin === 'earlier' ? {} : { ARCHIVOLT_ADMIN_PASSWORD: password.password }),
  }
}

const apiUrlOf = ({ host, port }: StackSettings): string =>
  `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`

/** Starts everything, each service as soon as what it needs is there, and resolves when all is ready. */
export const bringUp = async (options: BringUpOptions): Promise<Addresses> => {
  const { settings, home, progress, supervisor, signal } = options
  const ports = await choosePorts(settings, progress.say)
  let tellReady = (): void => undefined
  const others = new Promise<void>((resolve) => {
    tellReady = resolve
  })
  const environment = serverEnvironment(options, ports)
  // Looking for Java and Maven takes a moment, in which the other servers start.
  const search = bringUpSearch(options, { port: ports.elasticsearch, others })
  const apiUrl = apiUrlOf(settings)
  progress.say(describeNode(chooseNode()))
  const building = async (name: string, build: Promise<void>): Promise<void> => {
    progress.set(name, 'building')
    await build
    progress.set(name, 'waiting')
  }
  const database = bringUpDatabase(options, ports.postgres)
  const temporal = bringUpTemporal(options, ports.temporal).then(options.onTemporal)
  const workerBuilt = building('worker', buildWorker(signal))
  // The API does not wait for Temporal: it listens, and reports itself whether it is ready. It runs workflows as well.
  const api = Promise.all([database, search, building('api', buildApi()), workerBuilt]).then(
    ([DATABASE_URL, found]) =>
      supervisor.run(apiService({ home, url: apiUrl, env: { ...environment, ...found, DATABASE_URL } })),
  )
  const worker = Promise.all([database, search, temporal, workerBuilt]).then(([DATABASE_URL, found]) =>
    supervisor.run(workerService({ home, env: { ...environment, ...found, DATABASE_URL } })),
  )
  await Promise.all([database, search, temporal, api, worker])
  await waitForChains(apiUrl, { signal })
  tellReady()
  return { apiUrl, temporalUi: environment.ARCHIVOLT_TEMPORAL_UI }
}
