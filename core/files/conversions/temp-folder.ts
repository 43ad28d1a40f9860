import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../platform/errors/index.js'

const PREFIX = 'archivolt-'

/** Passes a new folder that only this user can read, below `parent`, to `use`; it is removed when `use` settles. */
export const withTempFolder = async <T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await createTempFolder(parent)
  try {
    return await use(folder)
  } finally {
    await removeFolder(folder)
  }
}

/** A new folder that only this user can read. The caller removes it. */
export const createTempFolder = async (parent: string): Promise<string> => {
  const prefix = join(parent, `${PREFIX}${process.pid}-`)
  try {
    return await mkdtemp(prefix)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    await mkdir(parent, { recursive: true })
    return mkdtemp(prefix)
  }
}

/** Retried when a process that was just killed still writes into it. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })

/** Copies a stored file for a program: a link would let the program change what is stored. Shares blocks where it can. */
export const copyPrivately = (stored: string, path: string): Promise<void> =>
  copyFile(stored, path, constants.COPYFILE_FICLONE)

/** Fails with `conversionFailed` unless a program has written a file: a link could lead out of its sandbox. */
export const requireFile = async (path: string): Promise<void> => {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile()) throw fail('conversionFailed', 'The converter wrote no file')
}

/** Removes what killed processes of this machine left below `parent`; their ids are in the names. */
export const sweepTempFolders = async (parent: string): Promise<void> => {
  await mkdir(parent, { recursive: true })
  const left = (await readdir(parent)).filter((name) => {
    const id = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
    return Number.isSafeInteger(id) && !isAlive(id)
  })
  await Promise.all(left.map((name) => removeFolder(join(parent, name))))
}

const isAlive = (processId: number): boolean => {
  try {
    // Signal 0 asks only whether there is such a process.
    process.kill(processId, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
