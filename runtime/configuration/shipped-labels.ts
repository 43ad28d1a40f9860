import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DataFile, type DirectoryRegistry, parseCsv } from '../../core/content/directories/index.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'

type Labels = ReadonlyMap<string, string>

/** The files of the product do not change while it runs, and are few. */
const known = new Map<string, Labels | undefined>()

const readLabels = (path: string): Labels | undefined => {
  const file = join(DEFAULT_CONFIGURATION, path)
  if (!existsSync(file)) return undefined
  const [header = [], ...records] = parseCsv(readFileSync(file, 'utf8'), ',')
  const [id, label] = ['id', 'label'].map((name) => header.indexOf(name))
  if (id === undefined || label === undefined || id < 0 || label < 0) return undefined
  return new Map(records.map((record) => [record[id] ?? '', record[label] ?? '']))
}

const labelsOf = (path: string): Labels | undefined => {
  if (!known.has(path)) known.set(path, readLabels(path))
  return known.get(path)
}

/** Directories with how the product labels the entries that it brings. */
export const withShippedLabels = (
  registry: DirectoryRegistry,
  files: ReadonlyMap<string, DataFile>,
): DirectoryRegistry =>
  new Map(
    [...registry].map(([name, directory]) => {
      const file = files.get(name)
      const labels = file && labelsOf(file.path)
      return [name, labels ? { ...directory, labels } : directory]
    }),
  )
