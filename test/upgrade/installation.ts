import { buildServer, buildWorkflows } from '../../stack/build/index.js'
import { openHome } from '../../stack/home/index.js'
import { freePort, LOOPBACK, type Server, startReaper } from '../../stack/process/index.js'
import { apiService, workerService } from '../../stack/services/index.js'
import type { Service } from '../../stack/supervisor/index.js'
import { startTemporal } from '../../stack/temporal/index.js'

export const ADMINISTRATOR = 'Administrator'
/** Of the administrator and of every user that the recording makes. */
const PASSWORD = 'of-the-upgrade-test'

/** Addresses in answers begin with it, whichever port the API has. */
const PUBLIC_URL = 'http://archivolt.test/'

export type CallOptions = {
  method?: string
  user?: string
  /** Sent as JSON unless it is a text or a form. */
  body?: object | string | FormData
  headers?: Record<string, string>
}

export type Answer = { status: number; text: string; headers: Headers }

/** The product as `npm start` runs it, on a database that is given. */
export type Installation = {
  temporalAddress: string
  startApi(): Promise<Server>
  startWorker(): Promise<Server>
  stopTemporal(): Promise<void>
  /** A call of the REST API, below `/api/v1/`. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** What its servers have logged as their own fault. */
  errors(): string[]
  /** Ends what runs of it. */
  stop(): Promise<void>
}

const bodyOf = (body: CallOptions['body']) =>
  body === undefined || typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)

/**
 * Opens a folder as the home of the product, starts Temporal on the state that it finds there, and API and worker when
 * they are asked for.
 *
 * @param settings of API and worker besides its own.
 */
export const openInstallation = async ({
  folder,
  databaseUrl,
  settings = {},
}: {
  folder: string
  databaseUrl: string
  settings?: NodeJS.ProcessEnv
}): Promise<Installation> => {
  await Promise.all([buildServer('api'), buildServer('worker'), buildWorkflows()])
  const reaper = startReaper()
  const home = openHome(folder)
  const temporal = await startTemporal({
    port: await freePort(),
    uiPort: await freePort(),
    databaseFile: home.temporalDatabase,
    logFile: home.logFile('temporal'),
    env: process.env,
    onLaunch: ({ pid }) => reaper.watch(pid),
  })
  const port = await freePort()
  const apiUrl = `http://${LOOPBACK}:${port}`
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    ARCHIVOLT_HOME: folder,
    ARCHIVOLT_PORT: String(port),
    ARCHIVOLT_PUBLIC_URL: PUBLIC_URL,
    ARCHIVOLT_ADMIN_PASSWORD: PASSWORD,
    ARCHIVOLT_LOG_LEVEL: 'warn',
    ...settings,
  }
  const servers: Server[] = []
  const start = async (service: Service): Promise<Server> => {
    const { signal } = new AbortController()
    let launched: Server | undefined
    const onLaunch = (server: Server): void => {
      reaper.watch(server.pid)
      servers.push(server)
      launched = server
    }
    await service.start({ report: () => undefined, signal, onLaunch })
    if (!launched) throw new Error(`The ${service.name} has no process`)
    return launched
  }

  return {
    temporalAddress: temporal.address,
    startApi: () => start(apiService({ home, url: apiUrl, env })),
    startWorker: () => start(workerService({ home, env })),
    stopTemporal: () => temporal.stop(),
    call: async (path, { method = 'GET', user = ADMINISTRATOR, body, headers } = {}) => {
      const response = await fetch(`${apiUrl}/api/v1/${path}`, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`,
          ...(typeof body === 'object' &&
            !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: bodyOf(body) }),
      })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    errors: () =>
      servers.flatMap((server) =>
        server
          .output()
          .split('\n')
          .filter((line) => /"level":[56]0/.test(line)),
      ),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await temporal.stop()
      reaper.dismiss()
    },
  }
}
