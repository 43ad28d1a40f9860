/** `npm run backup -- FILE` and `npm run restore -- FILE`: all of ARCHIVOLT_HOME as one archive, and back. */
import { backUp, checkTarget, restore } from './backup/index.js'
import { openHome, takeLock } from './home/index.js'
import { LEFTOVERS } from './leftovers.js'
import { describeFailure, StackFailure } from './process/index.js'
import { createProgress } from './progress/index.js'
import { readSettings, type StackSettings } from './settings.js'
import { createSupervisor } from './supervisor/index.js'

const USAGE = 'Usage: npm run backup -- FILE.tar.gz, or npm run restore -- FILE.tar.gz.'

const MEBIBYTE = 2 ** 20

const backUpHome = async (folder: string, file: string): Promise<string> => {
  checkTarget(folder, file)
  const home = openHome(folder)
  const lock = await takeLock(home.lockFile, { home: folder, purpose: 'backup' })
  try {
    const progress = createProgress(process.stdout)
    const explain = (error: unknown) => describeFailure(error, folder)
    await createSupervisor({ progress, recordFile: home.recordFile, explain }).endLeftovers(LEFTOVERS)
    const bytes = await backUp(home, file)
    return `Backed up ${folder} to ${file} (${Math.ceil(bytes / MEBIBYTE)} MiB).`
  } finally {
    lock.release()
  }
}

const restoreHome = async (folder: string, file: string): Promise<string> => {
  const { release, createdAt } = await restore(folder, file)
  return `Restored ${folder} as it was at ${createdAt}, of release ${release}. Start it with ARCHIVOLT_HOME=${folder} npm start.`
}

/** A home holds everything only when all servers are those of `npm start`. */
const checkOwnServers = ({ databaseUrl, temporalAddress }: StackSettings): void => {
  const name = databaseUrl ? 'DATABASE_URL' : temporalAddress ? 'TEMPORAL_ADDRESS' : undefined
  if (!name) return
  throw new StackFailure(
    `${name} names a server of its own: back that up by its own tools (docs/operations.md, Backup).`,
  )
}

const main = async ([command, file]: readonly string[]): Promise<void> => {
  const work = { backup: backUpHome, restore: restoreHome }[command ?? '']
  if (!work || !file) throw new StackFailure(USAGE)
  const settings = readSettings(process.env, process.cwd())
  checkOwnServers(settings)
  process.umask(0o077)
  process.stdout.write(`${await work(settings.home, file)}\n`)
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error, process.env.ARCHIVOLT_HOME ?? '.archivolt')}\n`)
  process.exit(1)
})
