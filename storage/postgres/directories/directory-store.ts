import { and, eq, type SQL, sql as text } from 'drizzle-orm'
import type { DirectoryEntry, DirectoryStore } from '../../../core/content/directories/index.js'
import { directoryEntries, directoryStates } from '../../../schema/directories.js'
import { inTransaction, type Sql, typed } from '../connection/index.js'
import { anyOf, columnsOf, foundOf, named, paged, TOTAL, tableOf } from '../rows/index.js'
import { announceDirectory } from './announce.js'
import { conditionOf, orderOf } from './conditions.js'
import { orderingOf } from './ordering.js'

const { id: ID, properties: PROPERTIES } = directoryEntries
const ENTRY_COLUMNS = { id: ID, properties: PROPERTIES }

const ENTRIES = tableOf(directoryEntries)
const STATES = tableOf(directoryStates)
const ENTRY = columnsOf(directoryEntries)
const STATE = columnsOf(directoryStates)
const e = columnsOf(directoryEntries, 'e')
const s = columnsOf(directoryStates, 's')

/** Entries in the table `directory_entries` of the main database, on the pool or in one transaction. */
export const createDirectoryStore = (sql: Sql): DirectoryStore => {
  const db = typed(sql)
  const select = (where: SQL | undefined) =>
    db.select(ENTRY_COLUMNS).from(directoryEntries).where(where).$dynamic()
  return {
    get: async (directory, id) => {
      const [row] = await select(and(eq(ID, id), conditionOf(directory)))
      return row as DirectoryEntry | undefined
    },

    getMany: async (directory, ids) => {
      const rows = await select(and(anyOf(ID, ids), conditionOf(directory)))
      const byId = new Map(rows.map((row) => [row.id, row as DirectoryEntry]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    find: async (directory, query) => {
      const where = conditionOf(directory, query)
      const all = db
        .select({ ...ENTRY_COLUMNS, total: TOTAL })
        .from(directoryEntries)
        .where(where)
        .orderBy(...orderOf(directory, query.orderBy))
      const rows = await paged(all.$dynamic(), query)
      return foundOf(rows as (DirectoryEntry & { total: number })[], () => db.$count(directoryEntries, where))
    },

    // Any number of entries in one statement, which has one text.
    insert: async (directory, entries) => {
      const rows = entries.map((entry) => ({ ...entry, ordering: orderingOf(entry.properties) }))
      const inserted = await named(sql)<{ id: string }[]>`
        INSERT INTO ${ENTRIES} (${ENTRY.directory}, ${ENTRY.id}, ${ENTRY.ordering}, ${ENTRY.properties})
        SELECT ${directory.name}, r.id, r.ordering, r.properties
        FROM jsonb_to_recordset(${sql.json(rows as never)}) AS r(id text, ordering bigint, properties jsonb)
        ON CONFLICT DO NOTHING RETURNING ${ENTRY.id} AS id`
      await announceDirectory(sql, directory)
      return inserted.map(({ id }) => id)
    },

    update: async (directory, id, properties) => {
      const changed = text`jsonb_strip_nulls(${PROPERTIES} || ${text.param(properties, PROPERTIES)}::jsonb)`
      const [row] = await db
        .update(directoryEntries)
        .set({
          ...('ordering' in properties && { ordering: orderingOf(properties) }),
          properties: changed,
        })
        .where(and(eq(ID, id), conditionOf(directory)))
        .returning(ENTRY_COLUMNS)
      await announceDirectory(sql, directory)
      return row as DirectoryEntry | undefined
    },

    remove: async (directory, id) => {
      const removed = await db
        .delete(directoryEntries)
        .where(and(eq(ID, id), conditionOf(directory)))
        .returning({ id: ID })
      await announceDirectory(sql, directory)
      return removed.length === 1
    },

    referencing: async (directory, field, values) => {
      const rows = await named(sql)<{ value: string; id: string }[]>`
        SELECT wanted.value, ${e.id} FROM unnest(${[...values]}::text[]) AS wanted(value)
        JOIN ${ENTRIES} e ON ${e.directory} = ${directory.name} AND (
          ${e.properties} @> jsonb_build_object(${field}::text, wanted.value)
          OR ${e.properties} @> jsonb_build_object(${field}::text, jsonb_build_array(wanted.value)))
        ORDER BY ${e.ordering}, ${e.id}`
      return [...rows]
    },

    // Two that ask at once wait for one another: the number is that of the row.
    nextId: async (directory) => {
      const [row] = await named(sql)<{ id: string }[]>`
        INSERT INTO ${STATES} AS s (${STATE.directory}, ${STATE.lastId})
        SELECT ${directory.name}, 1 + coalesce(max(${e.id}::bigint), 0) FROM ${ENTRIES} e
        WHERE ${e.directory} = ${directory.name} AND ${e.id} ~ '^[0-9]{1,15}$'
        ON CONFLICT (${STATE.directory}) DO UPDATE
        SET ${STATE.lastId} = greatest(${s.lastId} + 1, excluded.${STATE.lastId})
        RETURNING ${s.lastId}::text AS id`
      return row!.id
    },

    atomically: (work) => inTransaction(sql, (tx) => work(createDirectoryStore(tx))),
  }
}
