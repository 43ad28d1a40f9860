import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { buildServer, buildWorkflows } from '../../stack/build/index.js'
import { openHome } from '../../stack/home/index.js'
import { freePort, LOOPBACK, RESTARTED_PORTS, type Server, startReaper } from '../../stack/process/index.js'
import { apiService, workerService } from '../../stack/services/index.js'
import type { Service } from '../../stack/supervisor/index.js'
import { createTestDatabase } from '../support/index.js'
import { afterFailure } from './after-failure.js'

const PASSWORD = 'own-administrator'
/** Last characters of a server's log that are shown when a test has failed. */
const LOGGED = 8_000
export const AUTHORIZATION = `Basic ${Buffer.from(`Administrator:${PASSWORD}`).toString('base64')}`

export type OwnServers = {
  /** Of all that API and worker keep. */
  folder: string
  apiUrl: string
  databaseUrl: string
  /** @param url of a further API process beside the first, from `furtherUrl`. */
  startApi(url?: string): Promise<Server>
  startWorker(): Promise<Server>
  /** Where another API process may listen. */
  furtherUrl(): Promise<string>
  /** A call of the REST API as the administrator; fails when the answer is not of this status. */
  call(path: string, init: RequestInit & { expected: number; at?: string }): Promise<Response>
}

/** What a server has logged as its own fault, of late. */
const errorsOf = (server: Server): string[] =>
  server
    .output()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
    .slice(-5)

/**
 * API and worker as processes of a test file, on a database and a task queue of its own. Call it at the top
 * level of the file, which fails when they leave a connection or a transaction open.
 *
 * @param settings besides those that the file needs.
 */
export const openOwnServers = async (settings: NodeJS.ProcessEnv = {}): Promise<OwnServers> => {
  await Promise.all([buildServer('api'), buildServer('worker'), buildWorkflows()])
  const database = await createTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-own-'))
  const reaper = startReaper(folder)
  const home = openHome(folder)
  const furtherUrl = async (): Promise<string> => `http://${LOOPBACK}:${await freePort(RESTARTED_PORTS)}`
  const apiUrl = await furtherUrl()
  const env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    ARCHIVOLT_TASK_QUEUE: database.name,
    ARCHIVOLT_HOME: folder,
    ARCHIVOLT_ADMIN_PASSWORD: PASSWORD,
    ARCHIVOLT_LOG_LEVEL: 'warn',
    ...settings,
  }
  const servers: Server[] = []
  const start = async (service: Service): Promise<Server> => {
    const { signal } = new AbortController()
    const launched: Server[] = []
    const onLaunch = (server: Server): void => {
      reaper.watch(server.pid)
      launched.push(server)
      servers.push(server)
    }
    await service.start({ report: () => undefined, signal, onLaunch })
    return launched[0]!
  }
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
    reaper.dismiss()
  })
  // Hooks run last first: while the logs are there.
  afterFailure(() => {
    for (const server of servers) process.stdout.write(`${server.output().slice(-LOGGED)}\n`)
  })
  return {
    folder,
    apiUrl,
    databaseUrl: database.url,
    furtherUrl,
    startApi: (url = apiUrl) =>
      start(apiService({ home, url, env: { ...env, ARCHIVOLT_PORT: new URL(url).port } })),
    startWorker: () => start(workerService({ home, env })),
    call: async (path, { expected, at = apiUrl, ...init }) => {
      const headers = { authorization: AUTHORIZATION, ...Object.fromEntries(new Headers(init.headers)) }
      const response = await fetch(`${at}/api/v1/${path}`, { redirect: 'manual', ...init, headers })
      if (response.status === expected) return response
      const logged = response.status < 500 ? [] : servers.flatMap(errorsOf)
      throw new Error([`${path}: ${response.status} ${await response.text()}`, ...logged].join('\n'))
    },
  }
}
