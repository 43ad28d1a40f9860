import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createPlatform } from '../../runtime/index.js'
import { parseTestSettings } from './settings.js'

export const ADMIN_PASSWORD = 'test-administrator'

/** Starts the product once on a migrated database, so that its groups, administrator and default content are there. */
export const seedTemplate = async (databaseUrl: string): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), 'archivolt-seed-'))
  const settings = parseTestSettings({
    DATABASE_URL: databaseUrl,
    ARCHIVOLT_HOME: home,
    ARCHIVOLT_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ARCHIVOLT_LOG_LEVEL: 'silent',
  })
  const platform = await createPlatform(settings, pino({ level: 'silent' }))
  // Whoever is cloned from it has a folder of its own.
  await platform.database.sql`DELETE FROM blob_stores`
  await platform.close()
  await rm(home, { recursive: true, force: true })
}
