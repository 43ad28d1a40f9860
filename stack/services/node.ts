import { hostname } from 'node:os'
import { join } from 'node:path'
import { DIST, ROOT, type ServerName } from '../build/index.js'
import type { Home } from '../home/index.js'
import {
  freePort,
  gracefulThenKill,
  LOOPBACK,
  launchServer,
  type Server,
  whileRunning,
} from '../process/index.js'
import type { Service } from '../supervisor/index.js'
import { chooseNode } from './node-binary.js'

/** Longer than the servers' own time for requests and activities that are under way. */
const DRAIN_MS = 35_000

/** `env` is added to our own environment. */
export type ServerOptions = { home: Home; env: NodeJS.ProcessEnv }

type NodeOptions = ServerOptions & { name: ServerName; signal: AbortSignal }

/**
 * A young generation of 16 MB serves documents and pages as quickly as one of 32, in 40 MB less. The old generation is
 * collected when it has grown by a fifth, which keeps a process that answers large pages, 20,000 documents a second and
 * more, below 300 MB; left to itself it takes up to 400 MB on a machine with much memory. The Dockerfile,
 * docker-compose.yml and package.json say the same. `--expose-gc` lets a process that receives files collect their
 * buffers (`storage/blobs/filesystem/young-buffers.ts`). Places in sources are found when an error is logged
 * (`core/platform/telemetry/source-places.ts`): `--enable-source-maps` costs 50 MiB.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=20', '--expose-gc']

/** The environment of a server; what is given here stands instead of the file of a secret. */
const environmentOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const files = Object.keys(env).map((name) => [`${name}_FILE`, undefined])
  return { ...process.env, ...Object.fromEntries(files), ...env }
}

const startNode = ({ name, home, env, signal }: NodeOptions): Server =>
  launchServer({
    command: chooseNode().command,
    args: [...NODE_OPTIONS, join(DIST, `${name}.js`)],
    cwd: ROOT,
    env: environmentOf(env),
    logFile: home.logFile(name),
    signal,
    stopSteps: gracefulThenKill(DRAIN_MS),
  })

/** @param isExpected whether a response comes from the server that was started; absent: any does. */
const answersReady = async (
  url: string,
  isExpected: (response: Response) => boolean = () => true,
): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.ok && isExpected(response)
  } catch {
    // Not listening yet.
    return false
  }
}

/** The API process; ready when it answers so itself, that is when what it depends on is there. */
export const apiService = ({ home, url, env }: ServerOptions & { url: string }): Service => ({
  name: 'api',
  start: async ({ report, onLaunch, signal }) => {
    report('starting')
    const server = startNode({ name: 'api', home, env, signal })
    onLaunch(server)
    // Another API may have taken the port meanwhile; this one then ends, and says why.
    const node = env.ARCHIVOLT_NODE || process.env.ARCHIVOLT_NODE || `${hostname()}-${server.pid}`
    await whileRunning('The API', server, () =>
      answersReady(url, ({ headers }) => headers.get('X-Archivolt-Node') === node),
    )
    return url
  },
})

/** Where its health is asked for: the address that it listens on, or loopback when that is every one. */
const healthAddress = (env: NodeJS.ProcessEnv, port: string): string => {
  const host = env.ARCHIVOLT_HOST || LOOPBACK
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The worker process; ready when it polls for work, as it reports at `ARCHIVOLT_WORKER_PORT` or a free port. */
export const workerService = ({ home, env }: ServerOptions): Service => ({
  name: 'worker',
  start: async ({ report, onLaunch, signal }) => {
    report('starting')
    const environment = environmentOf(env)
    const wanted = Number(environment.ARCHIVOLT_WORKER_PORT || 0)
    const port = String(wanted === 0 ? await freePort() : environment.ARCHIVOLT_WORKER_PORT)
    const server = startNode({ name: 'worker', home, env: { ...env, ARCHIVOLT_WORKER_PORT: port }, signal })
    onLaunch(server)
    const address = healthAddress(environment, port)
    await whileRunning('The worker', server, () => answersReady(address))
    return ''
  },
})
