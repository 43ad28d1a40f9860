import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer, buildWorkflows } from '../../stack/build/index.js'
import { type Home, openHome } from '../../stack/home/index.js'
import { freePort, LOOPBACK, type Server, startReaper } from '../../stack/process/index.js'
import { apiService, postgresService, temporalService, workerService } from '../../stack/services/index.js'
import type { Service } from '../../stack/supervisor/index.js'

export const PASSWORD = 'bench-administrator'

const residentMiB = (pid: number): number => {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1024
}

/** The product as `npm start` runs it, on ports and a folder of its own. */
export type BenchServers = {
  home: Home
  apiUrl: string
  apiPid: number
  databaseUrl: string
  temporalAddress: string
  /** The environment of API and worker. */
  env: NodeJS.ProcessEnv
  /** MiB of memory that Temporal, API and worker have in use (Linux). */
  residentMiB(): number
  stop(): Promise<void>
}

/**
 * Starts the product.
 *
 * @param kept folder whose data is reused and kept for the next run; absent: a new one, removed at the end.
 */
export const startServers = async (kept?: string): Promise<BenchServers> => {
  await Promise.all([buildServer('api'), buildServer('worker'), buildWorkflows()])
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'archivolt-bench-'))
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  const reaper = startReaper(kept === undefined ? folder : undefined)
  const home = openHome(folder)
  const servers: Server[] = []
  const { signal } = new AbortController()
  const start = (service: Service): Promise<string> =>
    service.start({
      report: () => undefined,
      signal,
      onLaunch: (server) => {
        servers.push(server)
        reaper.watch(server.pid)
      },
    })

  const temporal = { port: await freePort(), uiPort: await freePort() }
  let databaseUrl = ''
  const database = postgresService(home, await freePort(), (url) => {
    databaseUrl = url
  })
  await start(database)
  await start(temporalService(home, temporal))
  const port = await freePort()
  const apiUrl = `http://${LOOPBACK}:${port}`
  const temporalAddress = `${LOOPBACK}:${temporal.port}`
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ARCHIVOLT_HOME: folder,
    ARCHIVOLT_PORT: String(port),
    ARCHIVOLT_ADMIN_PASSWORD: PASSWORD,
  }
  await start(apiService({ home, url: apiUrl, env }))
  const apiPid = servers.at(-1)?.pid ?? 0
  await start(workerService({ home, env }))
  return {
    home,
    apiUrl,
    apiPid,
    databaseUrl,
    temporalAddress,
    env,
    residentMiB: () => servers.slice(1).reduce((sum, { pid }) => sum + residentMiB(pid), 0),
    stop: async () => {
      for (const server of servers.reverse()) await server.stop()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
      reaper.dismiss()
    },
  }
}
