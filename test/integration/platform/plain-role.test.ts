import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument } from '../../../core/content/documents/index.js'
import { parseSettings } from '../../../core/platform/settings/index.js'
import { createPlatform } from '../../../runtime/index.js'
import { addressOf, onServer, uniqueName } from '../../support/template.js'

/** As docker-compose.yml creates role and database. */
test('a role without rights, but for its own database, is enough', async () => {
  const server = inject('databaseServer')
  const [role, password] = [uniqueName('role'), randomBytes(12).toString('hex')]
  await onServer(
    server,
    `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${password}'`,
  )
  await onServer(server, `CREATE DATABASE ${role} OWNER ${role}`)
  await onServer(server, `REVOKE CONNECT ON DATABASE ${role} FROM PUBLIC`)
  const url = new URL(addressOf(server, role))
  url.username = role
  url.password = password
  const home = await mkdtemp(join(tmpdir(), 'archivolt-role-'))
  try {
    const settings = parseSettings({ DATABASE_URL: url.href, ARCHIVOLT_HOME: home })
    const platform = await createPlatform(settings, pino({ level: 'silent' }))
    try {
      const [{ super: isSuper } = {}] = await platform.database.sql<{ super: boolean }[]>`
        SELECT rolsuper AS super FROM pg_roles WHERE rolname = current_user`
      expect(isSuper).toBe(false)
      const { path } = await platform.withSession(SYSTEM, (session) =>
        createDocument(session, { parent: '/', name: 'made', type: 'Folder', properties: {} }),
      )
      expect(path).toBe('/made')
      expect(platform.runKey.unsignedUntil).toBe(0)
    } finally {
      await platform.close()
    }
  } finally {
    await onServer(server, `DROP DATABASE ${role} WITH (FORCE)`)
    await onServer(server, `DROP ROLE ${role}`)
    await rm(home, { recursive: true, force: true })
  }
})
