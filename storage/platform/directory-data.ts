import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contributions } from '../../core/contributions/index.js'
import { type Directories, dataFilesOf, loadDirectories } from '../../core/directories/index.js'
import { fail } from '../../core/errors/index.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'
import { createDirectoryLoader, type Sql } from '../postgres/index.js'

/** The text of a data file: the deployment's own before the product's. */
const readFrom =
  (folders: readonly string[]) =>
  async (path: string): Promise<string> => {
    for (const folder of folders) {
      try {
        return await readFile(join(folder, path), 'utf8')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    }
    throw fail('invalid', `directories: there is no data file ${path} in ${folders.join(' or ')}`)
  }

/**
 * Brings the data files of directories in, as far as they are new or changed.
 *
 * @param configuration the deployment's own folder of configuration.
 * @throws invalid for a data file that is missing or does not fit its directory.
 */
export const loadDirectoryData = ({
  sql,
  registry,
  contributions,
  configuration,
}: Pick<Directories, 'registry'> & {
  sql: Sql
  contributions: Contributions
  configuration: string | undefined
}): Promise<void> =>
  loadDirectories({
    registry,
    files: dataFilesOf(contributions),
    readFile: readFrom(configuration ? [configuration, DEFAULT_CONFIGURATION] : [DEFAULT_CONFIGURATION]),
    loader: createDirectoryLoader(sql),
  })
