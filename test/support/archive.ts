import { afterAll, inject } from 'vitest'
import { addressOf, onServer, uniqueName } from './template.js'

/**
 * A second repository `archive` for a platform, removed after the file's own `afterAll` hooks. Call it at the top
 * level of a test file.
 *
 * @returns the settings that name it; its database is made with the platform.
 */
export const withArchive = (): NodeJS.ProcessEnv => {
  const server = inject('databaseServer')
  const database = uniqueName('archive')
  afterAll(() => onServer(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`))
  return { ARCHIVOLT_REPOSITORIES: `archive=${addressOf(server, database)}` }
}
