import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Owner, StackFailure } from '../process/index.js'

export const SUPERUSER = 'archivolt'

export type ClusterOptions = {
  binaries: string
  dataFolder: string
  password: string
  owner: Owner | undefined
  /** False for tests: what is written need not survive a crash of the machine. */
  isDurable: boolean
  onBuild: () => void
  signal?: AbortSignal
}

/** Builtin locale: the same order of texts on every system, whatever locales it has installed. */
export const initdbArguments = (folder: string, passwordFile: string, isDurable: boolean): string[] => [
  `--pgdata=${folder}`,
  `--username=${SUPERUSER}`,
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--no-instructions',
  // Tests open thousands of connections: the cost of guessing a password is for those who keep data.
  ...(isDurable ? [] : ['--no-sync', '--set=scram_iterations=1']),
]

/**
 * Makes the data folder when there is none. It is built beside its place and moved there when it is whole, so
 * a start that was killed half way leaves nothing that looks like a database.
 */
export const ensureCluster = async (options: ClusterOptions): Promise<void> => {
  const { binaries, dataFolder, owner } = options
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return
  options.onBuild()
  const unfinished = `${dataFolder}.new`
  const passwordFile = `${dataFolder}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, options.password, { mode: 0o600 })
  if (owner) for (const path of [unfinished, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const args = initdbArguments(unfinished, passwordFile, options.isDurable)
  try {
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), args, {
      env: {},
      cwd: unfinished,
      signal: options.signal,
      ...owner,
    })
    renameSync(unfinished, dataFolder)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    const words = String((cause as { stderr?: string }).stderr ?? cause).trim()
    throw new StackFailure(`Postgres could not create its data folder ${dataFolder}: ${words}`, { cause })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}
