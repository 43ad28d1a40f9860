import type { AdministratorPassword, Home } from './home/index.js'
import { choosePort, isPortFree, LOOPBACK, StackFailure } from './process/index.js'
import type { Progress } from './progress/index.js'
import {
  apiService,
  buildApi,
  buildWorker,
  checkDatabase,
  checkTemporal,
  postgresService,
  temporalService,
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
}

export type Addresses = { apiUrl: string; temporalUi?: string }

const POSTGRES_PORT = 5433
const TEMPORAL_PORT = 7233
const TEMPORAL_UI_PORT = 8233

const choosePorts = async ({ settings, progress }: BringUpOptions) => {
  if (!(await isPortFree(settings.port, settings.host))) {
    throw new StackFailure(`Port ${settings.port} is taken or not allowed: set ARCHIVOLT_PORT to a free one.`)
  }
  const promised = new Set([settings.port])
  const choose = async (what: string, preferred: number): Promise<number> => {
    const { port, isMoved } = await choosePort(preferred, promised)
    promised.add(port)
    if (isMoved) progress.say(`Port ${preferred} is taken: ${what} uses ${port} instead.`)
    return port
  }
  const { databaseUrl, temporalAddress } = settings
  return {
    postgres: databaseUrl ? 0 : await choose('Postgres', POSTGRES_PORT),
    temporal: temporalAddress ? 0 : await choose('Temporal', TEMPORAL_PORT),
    temporalUi: temporalAddress ? 0 : await choose('the Temporal UI', TEMPORAL_UI_PORT),
  }
}

/** Starts everything, each as soon as what it needs is there, and resolves when all is ready. */
export const bringUp = async (options: BringUpOptions): Promise<Addresses> => {
  const { settings, home, password, progress, supervisor, signal } = options
  const ports = await choosePorts(options)
  const apiUrl = `http://${settings.host === '0.0.0.0' ? 'localhost' : settings.host}:${settings.port}`
  const temporalAddress = settings.temporalAddress ?? `${LOOPBACK}:${ports.temporal}`
  const temporalUi =
    settings.temporalUi ?? (ports.temporalUi ? `http://${LOOPBACK}:${ports.temporalUi}` : undefined)
  let databaseUrl = settings.databaseUrl ?? ''

  const given = async (name: string, check: Promise<string>): Promise<void> =>
    progress.set(name, 'given', await check)
  const database = settings.databaseUrl
    ? given('postgres', checkDatabase(settings.databaseUrl))
    : supervisor.run(
        postgresService(home, ports.postgres, (url) => {
          databaseUrl = url
        }),
      )
  const temporal = settings.temporalAddress
    ? given('temporal', checkTemporal(settings.temporalAddress))
    : supervisor.run(temporalService(home, { port: ports.temporal, uiPort: ports.temporalUi }))

  const env = (): NodeJS.ProcessEnv => ({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ARCHIVOLT_HOME: home.folder,
    ARCHIVOLT_PORT: String(settings.port),
    ARCHIVOLT_TEMPORAL_UI: temporalUi,
  })
  const administrator = password.origin === 'earlier' ? {} : { ARCHIVOLT_ADMIN_PASSWORD: password.password }
  const building = async (name: string, build: Promise<void>): Promise<void> => {
    progress.set(name, 'building')
    await build
    progress.set(name, 'waiting')
  }
  // The API does not wait for Temporal: it listens, and says itself whether it is ready.
  const api = Promise.all([building('api', buildApi()), database]).then(() =>
    supervisor.run(apiService(home, apiUrl, () => ({ ...env(), ...administrator }))),
  )
  const worker = Promise.all([building('worker', buildWorker(signal)), database, temporal]).then(() =>
    supervisor.run(workerService(home, env)),
  )
  await Promise.all([database, temporal, api, worker])
  return { apiUrl, temporalUi }
}
