import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Where an entry is on the disk. */
export type Place = {
  folder: string
  /** The entry's key. */
  key: string
  /** Touched by each write. */
  touched: string
  released: string
  completed: string
  /** A file of JSON for each parameter. */
  parameters: string
  /** A file for each blob: its bytes, or as JSON what the blob store has. */
  bytes: string
  stored: string
  /** What is being written. */
  temporary: string
}

/** A folder for each entry: keys are of any length and may hold any character, names of folders may not. */
export const placeOf = (folder: string, key: string): Place =>
  placeIn(join(folder, createHash('sha256').update(key).digest('hex')))

export const placeIn = (folder: string): Place => {
  const inside = (name: string): string => join(folder, name)
  return {
    folder,
    key: inside('key'),
    touched: inside('touched'),
    released: inside('released'),
    completed: inside('completed'),
    parameters: inside('parameters'),
    bytes: inside('bytes'),
    stored: inside('stored'),
    temporary: inside('temporary'),
  }
}

/** The name of a file for a parameter or blob, and back. */
export const fileName = (name: string): string => encodeURIComponent(name).replaceAll('.', '%2E')
export const nameOf = (file: string): string => decodeURIComponent(file)
