import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { diskFullMessage, StackFailure } from '../process/index.js'

/** The files and folders in ARCHIVOLT_HOME. */
export type Home = {
  folder: string
  lockFile: string
  administratorFile: string
  postgresData: string
  postgresPassword: string
  temporalDatabase: string
  elasticsearchData: string
  logFile(service: string): string
  /** Which process a service runs as, for a start after this one was killed. */
  recordFile(service: string): string
}

/** Less than this and Postgres cannot even make its data folder. */
const NEEDED_BYTES = 200 * 1024 * 1024

/** Only this user may enter. Of root's, Postgres must pass through, as a user of its own, but may not look. */
const homeMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700)

export const openHome = (folder: string): Home => {
  mkdirSync(folder, { recursive: true, mode: homeMode() })
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < NEEDED_BYTES) throw new StackFailure(diskFullMessage(folder))
  return {
    folder,
    lockFile: join(folder, 'run', 'stack.json'),
    administratorFile: join(folder, 'administrator.json'),
    postgresData: join(folder, 'postgres'),
    postgresPassword: join(folder, 'postgres-password'),
    temporalDatabase: join(folder, 'temporal', 'temporal.db'),
    elasticsearchData: join(folder, 'elasticsearch'),
    logFile: (service) => join(folder, 'logs', `${service}.log`),
    recordFile: (service) => join(folder, 'run', `${service}.json`),
  }
}
