import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a store keeps the bytes of a key. */
export const pathOf = (folder: string, key: string): string =>
  join(folder, 'data', key.slice(0, 2), key.slice(2, 4), key)

/** Bytes of a file; null when there is none. */
export const lengthOf = async (path: string): Promise<number | null> => {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const entriesOf = async (folder: string) => {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The names of the files in a folder, at any depth, one folder in memory at a time. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
    else yield entry.name
  }
}

/** Removes the files of a folder that nobody has written to for so long. @returns how many. */
export const removeIdle = async (folder: string, idleMs: number): Promise<number> => {
  let removed = 0
  for (const { name } of await entriesOf(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch((error) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (!found?.isFile() || found.mtimeMs > Date.now() - idleMs) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
