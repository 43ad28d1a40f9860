import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'

/** A table with its columns, quoted, and the tables that its foreign keys refer to. */
type Table = { name: string; columns: string[]; refersTo: string[] }

const MIGRATIONS = new URL('../../schema/migrations/', import.meta.url)

/** Where Drizzle notes which migrations a database has had. */
const APPLIED = `
CREATE SCHEMA drizzle;
CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);`

/** A migration of today's code; `hash` is what Drizzle notes of it in a database that has had it. */
export type Migration = { tag: string; text: string; hash: string }

export const migrations = (): Migration[] => {
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.map(({ tag }) => {
    const text = readFileSync(new URL(`${tag}.sql`, MIGRATIONS), 'utf8')
    return { tag, text, hash: createHash('sha256').update(text).digest('hex') }
  })
}

const tablesOf = (sql: postgres.ISql) => sql<Table[]>`
  SELECT c.oid::regclass::text AS name,
    ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
    ARRAY(SELECT f.confrelid::regclass::text FROM pg_constraint f
      WHERE f.conrelid = c.oid AND f.contype = 'f') AS "refersTo"
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'drizzle'::regnamespace)
  ORDER BY 1`

/** Those first that others refer to. */
const inOrder = (tables: readonly Table[], done: readonly Table[] = []): readonly Table[] => {
  if (tables.length === 0) return done
  const names = new Set(done.map(({ name }) => name))
  const next = tables.filter(({ refersTo }) => refersTo.every((name) => names.has(name)))
  if (next.length === 0) throw new Error('Tables refer to one another in a circle')
  return inOrder(
    tables.filter((table) => !next.includes(table)),
    [...done, ...next],
  )
}

const rowsText = async (sql: postgres.ISql, { name, columns }: Table): Promise<string> => {
  const row = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ', ' || `)
  const rows = await sql.unsafe<{ row: string }[]>(`SELECT ${row} AS row FROM ${name} ORDER BY 1`)
  if (rows.length === 0) return ''
  const values = rows.map((each) => `(${each.row})`).join(',\n')
  // Triggers have done their work already; what they have written is in the dump as well.
  return `ALTER TABLE ${name} DISABLE TRIGGER USER;
INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES
${values};
ALTER TABLE ${name} ENABLE TRIGGER USER;`
}

const sequencesText = async (sql: postgres.ISql): Promise<string> => {
  const rows = await sql<{ name: string; last: string }[]>`
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last
    FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1`
  return rows.map(({ name, last }) => `SELECT setval('${name}', ${last});`).join('\n')
}

/** A database of this release as one text of SQL, which `restoreDump` takes; `pg_dump` comes with no package of npm. */
export const dumpDatabase = async (url: string): Promise<string> => {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
      // Literals must read alike whoever restores them.
      await tx`SET LOCAL timezone = 'UTC'`
      const rows: string[] = []
      for (const table of inOrder(await tablesOf(tx))) rows.push(await rowsText(tx, table))
      // The schema by the migrations as they are now: a later change of one does not change the past.
      const schema = migrations().map(({ text }) => text)
      const texts = [...schema, APPLIED, ...rows, await sequencesText(tx)]
      return `${texts.filter((text) => text !== '').join('\n')}\n`
    })
  } finally {
    await sql.end()
  }
}

/** Fills an empty database. */
export const restoreDump = async (url: string, dump: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(dump)
  } finally {
    await sql.end()
  }
}
