import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { afterAll, expect, inject, test } from 'vitest'
import { migrate } from '../../../schema/index.js'
import { createDatabase, pointScopes } from '../../../storage/postgres/index.js'
import { readableText } from '../../../storage/postgres/rows/index.js'
import { addressOf, onServer, uniqueName } from '../../support/template.js'

const MIGRATIONS = join(import.meta.dirname, '../../../schema/migrations')
/** Name of the migration that brought scopes. */
const SCOPES = 'acl-scopes'

const server = inject('databaseServer')
const name = uniqueName('migrated')
await onServer(server, `CREATE DATABASE ${name}`)
const url = addressOf(server, name)
const sql = postgres(url, { max: 2, onnotice: () => undefined })
const database = createDatabase({ url, poolSize: 2 })
afterAll(async () => {
  await sql.end()
  await database.close()
  await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`)
})

/** The migrations of the releases before scopes. */
const earlierMigrations = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-migrations-'))
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, 'utf8'))
  const first = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${SCOPES}`))
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }))
  return folder
}

const readableBy = async (identity: string): Promise<string[]> => {
  const rows = await sql.unsafe<{ name: string }[]>(
    `SELECT d.name FROM documents d WHERE ${readableText('$1::text[]')} ORDER BY d.name`,
    [[identity, 'Everyone']],
  )
  return rows.map((row) => row.name)
}

test('a database of an earlier release keeps its rights, before the upkeep and after', async () => {
  // Drizzle changes how the connection writes JSON.
  const own = postgres(url, { max: 1, onnotice: () => undefined })
  await applyMigrations(drizzle(own), { migrationsFolder: earlierMigrations() })
  await own.end()
  // The driver learns of the types of arrays with its first statement.
  await sql`SELECT 1`
  const acl = async (browsers: string[]): Promise<number> => {
    const entries = browsers.map((username) => ({
      username,
      permission: 'Read',
      granted: true,
      browse: true,
    }))
    const [row] = await sql<{ id: number }[]>`
      INSERT INTO acls (fingerprint, entries, browsers, is_plain)
      VALUES (${browsers.join()}, ${sql.json(entries)}, ${sql.array(browsers)}::text[], true) RETURNING id`
    return row?.id ?? 0
  }
  const open = await acl(['all'])
  const closed = await acl(['ann', 'all'])
  const id = (key: number) => `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`
  const document = (key: number, path: string | null, aclId: number, series: number | null = null) => ({
    id: id(key),
    name: path ?? 'version',
    path,
    type: 'Folder',
    acl_id: aclId,
    is_version: series !== null,
    version_series_id: series === null ? null : id(series),
    properties: sql.json({}),
  })
  // Two holders with equal rights share an ACL, as they did: they must not share a scope.
  await sql`INSERT INTO documents ${sql([
    document(1, '/', open),
    document(2, '/a', closed),
    document(3, '/a/x', closed),
    document(4, '/b', closed),
    document(5, '/b/y', closed),
    document(6, '/c', open),
    document(7, null, closed, 3),
  ])}`
  const entry = (key: number) => ({
    document_id: id(key),
    acl: 'local',
    position: 1,
    username: 'ann',
    permission: 'Read',
    granted: true,
  })
  await sql`INSERT INTO document_acls ${sql([{ ...entry(1), username: 'all' }, entry(2), entry(4)])}`

  await migrate(url)

  const expectRights = async () => {
    expect(await readableBy('ann')).toEqual(['/a', '/a/x', '/b', '/b/y', 'version'])
    expect(await readableBy('all')).toHaveLength(7)
    expect(await readableBy('bob')).toEqual([])
  }
  await expectRights()
  expect(await pointScopes(database)).toMatchObject({ left: 0 })
  await expectRights()
  const scopes =
    await sql`SELECT DISTINCT s.path FROM documents d JOIN acl_scopes s ON s.id = d.scope_id ORDER BY s.path`
  expect(scopes.map(({ path }) => path)).toEqual(['/', '/a', '/b'])
  expect(await sql`SELECT FROM acl_scopes WHERE is_split OR is_pending OR path IS NULL`).toHaveLength(0)
})
