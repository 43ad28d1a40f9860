import { link, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { createTurns } from '../../../core/platform/limits/index.js'

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** What a work gives; undefined when a file or folder of it does not exist. */
export const orMissing = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await orMissing(readdir(folder))) ?? []

/** A file is open while it is read: a hundred clients who ask for large batches at once would use up what a process may open. */
const reading = createTurns(64)

/** Undefined when there is no such file. */
export const readText = (path: string): Promise<string | undefined> =>
  reading(() => orMissing(readFile(path, 'utf8')))

export const readJson = async <Value = PropertyValue>(path: string): Promise<Value | undefined> => {
  const text = await readText(path)
  return text === undefined ? undefined : (JSON.parse(text) as Value)
}

export const lengthOf = async (path: string): Promise<number | undefined> =>
  (await orMissing(stat(path)))?.size

/** Removes a file, if there is one, in one call of the system where `rm` makes two. */
export const removeFile = async (path: string): Promise<void> => {
  await orMissing(unlink(path))
}

/** Milliseconds since a file was written; undefined when there is none. */
export const ageOf = async (path: string): Promise<number | undefined> => {
  const found = await orMissing(stat(path))
  return found && Date.now() - found.mtimeMs
}

/**
 * Gives a written file its name, at once and whole. One of that name is replaced, or stays.
 *
 * @returns whether the file has got the name.
 */
export const putInPlace = async (
  written: string,
  path: string,
  { replaces }: { replaces: boolean },
): Promise<boolean> => {
  if (replaces) {
    await rename(written, path)
    return true
  }
  try {
    await link(written, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await removeFile(written)
  }
}
