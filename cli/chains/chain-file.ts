import { basename, extname } from 'node:path'
import { CliError, EXIT } from '../failures/index.js'
import { readText } from '../files/index.js'

/** A chain in a file, under the id that it will have. */
export type ChainFile = { path: string; id: string; text: string; format: 'yaml' | 'json' | 'xml' }

const FORMATS: { [extension: string]: ChainFile['format'] } = {
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
  '.xml': 'xml',
}

const readChainFile = async (path: string, id: string | undefined): Promise<ChainFile> => {
  const extension = extname(path).toLowerCase()
  const format = FORMATS[extension]
  if (!format)
    throw new CliError(EXIT.usage, `${path}: a chain's file ends in ${Object.keys(FORMATS).join(', ')}`)
  return { path, id: id ?? basename(path, extname(path)), text: await readText(path), format }
}

/**
 * Reads chains to deploy. Their ids are the names of the files, or `id` for a single one.
 *
 * @throws CliError for a file that cannot be read, an id for several files, and two files of one id.
 */
export const readChainFiles = async (paths: readonly string[], id?: string): Promise<ChainFile[]> => {
  if (id !== undefined && paths.length > 1)
    throw new CliError(EXIT.usage, '--id: is possible with a single file only')
  const files = await Promise.all(paths.map((path) => readChainFile(path, id)))
  for (const [index, file] of files.entries()) {
    const other = files.findIndex((one) => one.id === file.id)
    if (other < index)
      throw new CliError(EXIT.usage, `${files[other]?.path} and ${file.path} are both the chain ${file.id}`)
  }
  return files
}
