import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Lends a new folder that only this user can read, below `parent`; it is removed when `use` settles. */
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
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, 'archivolt-'))
}

/** Tried again when a process that was just killed still writes into it. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
