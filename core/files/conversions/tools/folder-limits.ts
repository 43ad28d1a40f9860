import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../platform/errors/index.js'

/** Files and folders that a program may make; no converter makes as many. */
export const MAX_FILES = 10_000

/** Milliseconds between two looks at a folder. */
const LOOK_MS = 500

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const lengthOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    // The program has removed it meanwhile, or it is a link that leads nowhere.
    if (isGone(error)) return 0
    throw error
  }
}

/** What is in a folder, as far as it is to be known: counting ends beyond the limits. */
const measure = async (folder: string, mostBytes: number): Promise<{ files: number; bytes: number }> => {
  const total = { files: 0, bytes: 0 }
  const open = [folder]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((error) => {
      if (isGone(error)) return []
      throw error
    })
    for (const entry of entries) {
      total.files++
      if (total.files > MAX_FILES || total.bytes > mostBytes) return total
      if (entry.isDirectory()) open.push(join(at, entry.name))
      else if (entry.isFile()) total.bytes += await lengthOf(join(at, entry.name))
    }
  }
  return total
}

/**
 * Looks at what a program writes, all of it together, until it is stopped.
 *
 * @param stop is called once, with the reason, when it is too much or cannot be measured.
 */
export const watchFolder = (
  { folder, name, mostBytes }: { folder: string; name: string; mostBytes: number },
  stop: (reason: unknown) => void,
): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const { files, bytes } = await measure(folder, mostBytes)
    if (files > MAX_FILES) return stop(fail('conversionFailed', `${name} wrote more than ${MAX_FILES} files`))
    if (bytes > mostBytes) return stop(wroteTooMuch(name, mostBytes))
    if (timer !== undefined) later()
  }
  const later = () => {
    timer = setTimeout(() => look().catch(stop), LOOK_MS)
  }
  later()
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}

/** Not retried: the same file would fill the disk again. */
const wroteTooMuch = (name: string, bytes: number) =>
  fail(
    'conversionFailed',
    `${name} wrote more than there is room for: its files have ${bytes} bytes at most (ARCHIVOLT_CONVERSION_FILE_BYTES)`,
  )
