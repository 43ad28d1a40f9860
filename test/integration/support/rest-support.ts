import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { createPlatform, type Platform } from '../../../runtime/index.js'
import { createTestDatabase, parseTestSettings } from '../../support/index.js'

export const ADMIN_PASSWORD = 'secret'

/** A platform on a database and a folder of its own; call it at the top level of a test file. */
export const createTestPlatform = async (
  env: NodeJS.ProcessEnv = {},
  options: Parameters<typeof createPlatform>[2] = {},
): Promise<Platform> => {
  const database = await createTestDatabase()
  const home = mkdtempSync(join(tmpdir(), 'archivolt-rest-'))
  const settings = parseTestSettings({
    DATABASE_URL: database.url,
    ARCHIVOLT_HOME: home,
    ARCHIVOLT_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ARCHIVOLT_DATABASE_POOL: '8',
    ...env,
  })
  const platform = await createPlatform(settings, pino({ level: 'silent' }), options)
  afterAll(async () => {
    await platform.close()
    rmSync(home, { recursive: true, force: true })
  })
  return platform
}
