import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The inputs of a built file. */
export type Stamp = { inputs: readonly string[]; hash: string }

/** Hash of what a build depends on: the recipe, the installed packages and each source's name and content. */
export const hashOf = (root: string, recipe: string, inputs: readonly string[]): string => {
  const hash = createHash('sha256').update(recipe)
  for (const input of ['package-lock.json', ...inputs]) {
    const file = join(root, input)
    hash.update(`\0${input}\0`).update(existsSync(file) ? readFileSync(file) : 'absent')
  }
  return hash.digest('hex')
}

const stampFile = (output: string): string => `${output}.stamp.json`

const readStamp = (output: string): Stamp | undefined => {
  try {
    return JSON.parse(readFileSync(stampFile(output), 'utf8')) as Stamp
  } catch {
    // Absent or cut short: build again.
    return undefined
  }
}

/** True when a build of the present sources would make the same `output`. */
export const isUpToDate = (root: string, recipe: string, output: string): boolean => {
  const stamp = existsSync(output) ? readStamp(output) : undefined
  return stamp !== undefined && stamp.hash === hashOf(root, recipe, stamp.inputs)
}

/** Writes a file that readers see whole or not at all: API and worker may be built at the same moment. */
export const writeWhole = (file: string, content: string | Uint8Array): void => {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, content)
  renameSync(unfinished, file)
}

export const writeStamp = (output: string, stamp: Stamp): void =>
  writeWhole(stampFile(output), JSON.stringify(stamp))
