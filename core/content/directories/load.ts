import { hash } from 'node:crypto'
import { fail } from '../../platform/errors/index.js'
import { parseCsv } from './csv.js'
import type { Directory, DirectoryEntry, DirectoryLoader, DirectoryRegistry } from './types.js'
import { entryOf, textValue } from './values.js'

/** A CSV file that a directory starts with, and when it is loaded (reference: security.md §8). */
export type DataFile = {
  /** Below a configuration folder. */
  path: string
  separator: string
  loading: 'legacy' | 'never_load' | 'skip_duplicate' | 'reject_duplicate' | 'update_duplicate'
  creation: 'never' | 'on_missing_columns' | 'always'
}

/** Whether to load a file, by what was loaded last, if anything was. */
export const isDue = (
  { loading, creation }: DataFile,
  current: string,
  last: string | undefined,
): boolean => {
  if (loading === 'never_load') return false
  if (creation === 'always') return true
  if (loading === 'legacy') return creation === 'on_missing_columns' && last === undefined
  return current !== last
}

/**
 * The entries of a CSV text: the first line names fields of the schema, `|` separates the values of a list.
 *
 * @throws invalid naming file, line and field.
 */
export const entriesOfCsv = async (
  directory: Directory,
  { path, separator }: Pick<DataFile, 'path' | 'separator'>,
  text: string,
): Promise<DirectoryEntry[]> => {
  const wrong = (reason: string) => fail('invalid', `directory ${directory.name}: ${path}: ${reason}`)
  const rows = readRows(text, separator, wrong)
  const [header = [], ...records] = rows
  const fields = header.map((name) => {
    const field = directory.schema.fields.get(name.trim())
    if (!field) throw wrong(`schema '${directory.schema.name}' has no field '${name.trim()}'`)
    return field
  })
  return Promise.all(
    records.map(async (record, index) => {
      try {
        const values = await Promise.all(fields.map((field, at) => textValue(field, record[at] ?? '')))
        const input = Object.fromEntries(fields.map((field, at) => [field.name, values[at] ?? null]))
        return await entryOf(directory, input)
      } catch (error) {
        throw wrong(`record ${index + 1}: ${(error as Error).message}`)
      }
    }),
  )
}

const readRows = (text: string, separator: string, wrong: (reason: string) => Error): string[][] => {
  try {
    return parseCsv(text, separator)
  } catch (error) {
    throw wrong((error as Error).message)
  }
}

/**
 * Loads the data files that are due, each in one statement. A file is loaded again only when it, or the
 * way it is loaded, has changed: entries that were removed since then stay removed.
 *
 * @param readFile the text of a data file.
 * @throws invalid for a file that does not fit its directory, or whose entries exist and must not.
 */
export const loadDirectories = async ({
  registry,
  files,
  readFile,
  loader,
}: {
  registry: DirectoryRegistry
  files: ReadonlyMap<string, DataFile>
  readFile: (path: string) => Promise<string>
  loader: DirectoryLoader
}): Promise<void> => {
  const last = await loader.loaded()
  const texts = await Promise.all([...files.values()].map(({ path }) => readFile(path)))
  const loaded = new Map<string, string>()
  for (const [index, [name, file]] of [...files].entries()) {
    const directory = registry.get(name)!
    const text = texts[index]!
    const fingerprint = hash('sha256', JSON.stringify([file, text]))
    if (!isDue(file, fingerprint, last.get(name))) continue
    const entries = await entriesOfCsv(directory, file, text)
    const isReplacing = file.creation === 'always'
    const { added } = await loader.load(directory, entries, {
      onDuplicate: file.loading === 'update_duplicate' ? 'update' : 'skip',
      isReplacing,
    })
    if (file.loading === 'reject_duplicate' && added < entries.length)
      throw fail(
        'invalid',
        `directory ${name}: ${file.path}: ${entries.length - added} entries already exist`,
      )
    loaded.set(name, fingerprint)
  }
  await loader.remember(loaded)
}
