import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildServer, buildWorkflows } from '../../stack/build/index.js'
import { addressOf, type Means, newLogin } from '../../stack/elasticsearch/index.js'
import { openHome } from '../../stack/home/index.js'
import {
  describeExit,
  freePort,
  LOOPBACK,
  RESTARTED_PORTS,
  type Server,
  startReaper,
} from '../../stack/process/index.js'
import {
  apiService,
  elasticsearchService,
  postgresService,
  temporalService,
  workerService,
} from '../../stack/services/index.js'
import type { Service } from '../../stack/supervisor/index.js'
import { reportOn } from './fault-report.js'

export const VICTIMS = ['worker', 'api', 'temporal', 'postgres'] as const
export type Victim = (typeof VICTIMS)[number] | 'elasticsearch'

export const PASSWORD = 'fault-administrator'

type Reaper = ReturnType<typeof startReaper>

export type FaultStack = {
  apiUrl: string
  /** Who waits for whom at this moment, and what the servers have logged last. */
  report(): Promise<string>
  databaseUrl: string
  /** `kill -9`; what is killed is started again by itself. False when it was down already. */
  kill(victim: Victim): Promise<boolean>
  /** Resolves when everything is up. */
  settled(): Promise<void>
  /** Servers that ended by themselves after they had been ready. */
  deaths: readonly string[]
  stop(): Promise<void>
}

/** Long enough for a server that waits for another one which is down. */
const START_ATTEMPTS = 200
const PAUSE_MS = 100

type Guard = {
  /** Resolves when the server is ready, after as many attempts as that takes. */
  ready(): Promise<void>
  server(): Server | undefined
}

/** Keeps one server up, as the supervisor of `npm start` does but without its growing pauses. */
const keepUp = (
  service: Service,
  { reaper, deaths, signal }: { reaper: Reaper; deaths: string[]; signal: AbortSignal },
): Guard => {
  let server: Server | undefined
  let isReady = false
  let starting: Promise<void>

  const startOnce = (): Promise<string> =>
    service.start({
      report: () => undefined,
      signal,
      onLaunch: (launched) => {
        server = launched
        reaper.watch(launched.pid)
        void launched.exited.then((exit) => {
          if (signal.aborted || !isReady) return
          if (exit.signal !== 'SIGKILL') {
            deaths.push(`${service.name}: ${describeExit(exit)}: ${launched.output().slice(-4_000)}`)
          }
          starting = start()
        })
      },
    })

  const start = async (): Promise<void> => {
    isReady = false
    for (let attempt = 1; ; attempt++) {
      try {
        await startOnce()
        isReady = true
        if (!server?.exit()) return
      } catch (error) {
        if (signal.aborted) return
        if (attempt === START_ATTEMPTS) throw error
      }
      isReady = false
      await sleep(PAUSE_MS)
    }
  }

  starting = start()
  return { ready: () => starting, server: () => server }
}

type Ports = [number, number, number, number, number]

/** Ports for the servers, no two the same. */
const freePorts = async (): Promise<Ports> => {
  const ports = new Set<number>()
  while (ports.size < 5) ports.add(await freePort(RESTARTED_PORTS))
  return [...ports] as Ports
}

/**
 * Postgres, Temporal, the API and the worker as processes of their own, with their data on disk.
 *
 * @param search what Elasticsearch is started from; absent: there is none.
 * @param env settings of API and worker.
 */
export const startFaultStack = async ({
  search,
  env: more = {},
}: {
  search?: Means
  env?: { [name: string]: string }
} = {}): Promise<FaultStack> => {
  await Promise.all([buildServer('api'), buildServer('worker'), buildWorkflows()])
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-fault-'))
  chmodSync(folder, 0o711)
  const reaper = startReaper(folder)
  const home = openHome(folder)
  const [port, databasePort, temporalPort, uiPort, searchPort] = await freePorts()
  const apiUrl = `http://${LOOPBACK}:${port}`
  const stopping = new AbortController()
  const deaths: string[] = []
  const watch = { reaper, deaths, signal: stopping.signal }

  let databaseUrl = ''
  const setUrl = (url: string): void => {
    databaseUrl = url
  }
  const postgres = keepUp(postgresService(home, databasePort, setUrl), watch)
  const temporal = keepUp(temporalService(home, { port: temporalPort, uiPort }), watch)
  const login = newLogin()
  const elasticsearch =
    search && keepUp(elasticsearchService(home, { means: search, port: searchPort, login }), watch)
  await Promise.all([postgres.ready(), temporal.ready()])
  const temporalAddress = `${LOOPBACK}:${temporalPort}`
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ARCHIVOLT_HOME: home.folder,
    ARCHIVOLT_PORT: String(port),
    ARCHIVOLT_ADMIN_PASSWORD: PASSWORD,
    ...more,
    ...(search && { ELASTICSEARCH_URL: addressOf(login, `${LOOPBACK}:${searchPort}`) }),
  }
  const api = keepUp(apiService({ home, url: apiUrl, env }), watch)
  // Under the same name the next one goes on feeding the index at once, and not when its lease has ended.
  const named = search && { ARCHIVOLT_NODE: 'worker' }
  const worker = keepUp(workerService({ home, env: { ...env, ...named } }), watch)
  const guards: { [Name in Victim]?: Guard } = { worker, api, temporal, postgres, elasticsearch }
  const settled = async (): Promise<void> => {
    await Promise.all(Object.values(guards).map((guard) => guard?.ready()))
  }
  await settled()

  return {
    apiUrl,
    databaseUrl,
    deaths,
    settled,
    report: () => reportOn({ home, services: VICTIMS, databaseUrl, temporalAddress }),
    kill: async (victim) => {
      const server = guards[victim]?.server()
      if (!server || server.exit()) return false
      process.kill(server.pid, 'SIGKILL')
      await server.exited
      return true
    },
    stop: async () => {
      stopping.abort()
      for (const guard of Object.values(guards)) await guard?.server()?.stop()
      rmSync(folder, { recursive: true, force: true })
      reaper.dismiss()
    },
  }
}
