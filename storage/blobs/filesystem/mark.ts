import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './folder.js'

/** Name of the file with the mark of a folder of blobs. */
export const MARK_FILE = 'store-id'

/** The mark of a folder; undefined when it has none. */
export const readMark = async (folder: string): Promise<string | undefined> => {
  try {
    return (await readFile(join(folder, MARK_FILE), 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export const writeMark = async (folder: string, mark: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, MARK_FILE), `${mark}\n`)
}

/** Whether a folder holds no blobs. */
export const isUnused = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(join(folder, 'data'))).length === 0
  } catch (error) {
    if (isMissing(error)) return true
    throw error
  }
}
