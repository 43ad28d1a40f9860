import { join } from 'node:path'
import { DIST, ROOT, type ServerName } from '../build/index.js'
import type { Home } from '../home/index.js'
import { gracefulThenKill, launchServer, messageOf, type Server, whileRunning } from '../process/index.js'
import type { Service } from '../supervisor/index.js'

/** Longer than the servers' own time for requests and activities that are under way. */
const DRAIN_MS = 35_000

/** `env` is added to our own environment. */
export type ServerOptions = { home: Home; env: NodeJS.ProcessEnv }

type NodeOptions = ServerOptions & { name: ServerName; signal: AbortSignal }

const startNode = ({ name, home, env, signal }: NodeOptions): Server =>
  launchServer({
    command: process.execPath,
    args: ['--enable-source-maps', join(DIST, `${name}.js`)],
    cwd: ROOT,
    env: { ...process.env, ...env },
    logFile: home.logFile(name),
    signal,
    stopSteps: gracefulThenKill(DRAIN_MS),
  })

const answersReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.ok
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
    await whileRunning('The API', server, () => answersReady(url))
    return url
  },
})

/** The worker process; it serves nothing, so its log tells when it polls for work. */
export const workerService = ({ home, env }: ServerOptions): Service => ({
  name: 'worker',
  start: async ({ report, onLaunch, signal }) => {
    report('starting')
    const server = startNode({ name: 'worker', home, env, signal })
    onLaunch(server)
    const isReady = (): boolean =>
      server
        .output()
        .split('\n')
        .some((line) => messageOf(line) === 'worker ready')
    await whileRunning('The worker', server, isReady)
    return ''
  },
})
