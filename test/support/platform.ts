import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { afterAll } from 'vitest'
import type { Settings } from '../../core/platform/settings/index.js'
import { createPlatform, type Platform } from '../../runtime/index.js'
import { createTestDatabase } from './database.js'
import { ADMIN_PASSWORD } from './seed-template.js'
import { parseTestSettings } from './settings.js'

export { ADMIN_PASSWORD }

/** What decides about the content of a new database. */
const isSeedDefault = (
  { ARCHIVOLT_ADMIN_PASSWORD: password = ADMIN_PASSWORD, ...environment }: NodeJS.ProcessEnv,
  { makesAdministrator = true, listeners = [] }: PlatformOptions,
): boolean =>
  makesAdministrator &&
  listeners.length === 0 &&
  password === ADMIN_PASSWORD &&
  !('ARCHIVOLT_CONFIG' in environment) &&
  !('ARCHIVOLT_REPOSITORIES' in environment)

type PlatformOptions = NonNullable<Parameters<typeof createPlatform>[2]>

export type TestPlatform = { platform: Platform; settings: Settings }

/**
 * A platform on a database and a folder of its own, closed after the file's own `afterAll` hooks. Call it at
 * the top level of a test file.
 */
export const createTestPlatform = async (
  environment: NodeJS.ProcessEnv = {},
  logger: Logger = pino({ level: 'silent' }),
  options: PlatformOptions = {},
): Promise<TestPlatform> => {
  const database = await createTestDatabase({ isSeeded: isSeedDefault(environment, options) })
  const home = await mkdtemp(join(tmpdir(), 'archivolt-test-'))
  const settings = parseTestSettings({
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    ARCHIVOLT_HOME: home,
    ARCHIVOLT_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ARCHIVOLT_LOG_LEVEL: 'silent',
    ...environment,
  })
  const platform = await createPlatform(settings, logger, options)
  afterAll(async () => {
    await platform.close()
    await rm(home, { recursive: true, force: true })
  })
  return { platform, settings }
}
