import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../stack/postgres/index.js'
import { freePort, gracefulThenKill, LOOPBACK, launchServer, startReaper } from '../../stack/process/index.js'
import { findTemporal } from '../../stack/temporal/index.js'

/** Few enough for a short list to make a run continue as new: the server suggests it after so many events. */
const SUGGESTED_EVENTS = 20

export type RecordingServers = {
  folder: string
  databaseUrl: string
  /** host:port of Temporal. */
  temporalAddress: string
  /** Ends them, and removes the folder. */
  stop(): Promise<void>
}

const startTemporal = async (folder: string) => {
  const port = await freePort()
  const server = launchServer({
    command: await findTemporal({ env: process.env, onBuild: () => undefined }),
    args: ['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port)].concat([
      '--dynamic-config-value',
      `limit.historyCount.suggestContinueAsNew=${SUGGESTED_EVENTS}`,
    ]),
    logFile: join(folder, 'temporal.log'),
    env: process.env,
    stopSteps: gracefulThenKill(5_000),
  })
  return { ...server, address: `${LOOPBACK}:${port}` }
}

/** Postgres and Temporal in a temporary folder, which end with this process at the latest. */
export const startRecordingServers = async (): Promise<RecordingServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-record-'))
  chmodSync(folder, 0o711)
  const reaper = startReaper(folder)
  const temporal = await startTemporal(folder)
  reaper.watch(temporal.pid)
  const database = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    isDurable: false,
    maxConnections: 50,
  })
  reaper.watch(database.pid)
  return {
    folder,
    databaseUrl: database.url('postgres'),
    temporalAddress: temporal.address,
    stop: async () => {
      await Promise.all([database.stop(), temporal.stop()])
      rmSync(folder, { recursive: true, force: true })
      reaper.dismiss()
    },
  }
}
