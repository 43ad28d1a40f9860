import type {
  Directory,
  DirectoryEntry,
  DirectoryStore,
  EntryQuery,
} from '../../../core/content/directories/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { inTransaction } from '../connection/index.js'
import { likePattern } from '../rows/index.js'
import { announceDirectory } from './announce.js'
import { orderingOf } from './ordering.js'

const isNothing = (value: PropertyValue): boolean =>
  value === null || (Array.isArray(value) && value.length === 0)

/** By containment, which the index answers; a list field equals each of the values in it. */
const equals = (sql: Sql, { schema }: Directory, field: string, value: PropertyValue) => {
  if (isNothing(value)) return sql`coalesce(properties->${field}, 'null') IN ('null', '[]')`
  const isItem = schema.fields.get(field)?.isList && !Array.isArray(value)
  return sql`properties @> ${sql.json({ [field]: isItem ? [value] : value } as never)}`
}

const contains = (sql: Sql, { substringMatch }: Directory, field: string, value: PropertyValue) =>
  sql`properties->>${field} ILIKE ${likePattern(String(value ?? ''), substringMatch)}`

const conditions = (sql: Sql, directory: Directory, { filter = {}, fulltext = [] }: EntryQuery) => {
  const fixed = Object.entries(directory.filters).map(([field, value]) =>
    equals(sql, directory, field, value),
  )
  const asked = Object.entries(filter).map(([field, value]) => {
    if (field === directory.idField && !fulltext.includes(field) && !isNothing(value))
      return sql`id = ${String(value)}`
    return fulltext.includes(field)
      ? contains(sql, directory, field, value)
      : equals(sql, directory, field, value)
  })
  return [...fixed, ...asked].reduce(
    (all, condition) => sql`${all} AND ${condition}`,
    sql`directory = ${directory.name}`,
  )
}

const orderOf = (sql: Sql, { schema }: Directory, orderBy: EntryQuery['orderBy'] = []) => {
  const asked = orderBy.map(({ field, isDescending }) => {
    const type = schema.fields.get(field)?.type
    const value =
      type === 'long' || type === 'double'
        ? sql`(properties->>${field})::numeric`
        : sql`lower(properties->>${field})`
    return isDescending ? sql`${value} DESC NULLS LAST` : sql`${value} ASC NULLS LAST`
  })
  return [...asked, sql`ordering`, sql`id`].reduce((all, one) => sql`${all}, ${one}`)
}

/** Entries in the table `directory_entries` of the main database, on the pool or in one transaction. */
export const createDirectoryStore = (sql: Sql): DirectoryStore => {
  return {
    get: async (directory, id) => {
      const [row] = await sql<DirectoryEntry[]>`
        SELECT id, properties FROM directory_entries
        WHERE id = ${id} AND ${conditions(sql, directory, {})}`
      return row
    },

    getMany: async (directory, ids) => {
      const rows = await sql<DirectoryEntry[]>`
        SELECT id, properties FROM directory_entries
        WHERE id = ANY(${[...ids]}) AND ${conditions(sql, directory, {})}`
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    find: async (directory, query) => {
      const where = conditions(sql, directory, query)
      const { orderBy, limit, offset = 0 } = query
      const rows = await sql<(DirectoryEntry & { total: number })[]>`
        SELECT id, properties, (count(*) OVER ())::int AS total FROM directory_entries WHERE ${where}
        ORDER BY ${orderOf(sql, directory, orderBy)} LIMIT ${limit ?? null} OFFSET ${offset}`
      const entries = rows.map(({ id, properties }) => ({ id, properties }))
      if (rows[0] || offset === 0) return { entries, total: rows[0]?.total ?? 0 }
      // A page behind the last one has no row to carry the total.
      const [counted] = await sql<{ total: number }[]>`
        SELECT count(*)::int AS total FROM directory_entries WHERE ${where}`
      return { entries, total: counted?.total ?? 0 }
    },

    insert: async (directory, entries) => {
      const rows = entries.map((entry) => ({ ...entry, ordering: orderingOf(entry.properties) }))
      const inserted = await sql<{ id: string }[]>`
        INSERT INTO directory_entries (directory, id, ordering, properties)
        SELECT ${directory.name}, e.id, e.ordering, e.properties
        FROM jsonb_to_recordset(${sql.json(rows as never)}) AS e(id text, ordering bigint, properties jsonb)
        ON CONFLICT DO NOTHING RETURNING id`
      await announceDirectory(sql, directory)
      return inserted.map(({ id }) => id)
    },

    update: async (directory, id, properties) => {
      const ordering = 'ordering' in properties ? sql`ordering = ${orderingOf(properties)},` : sql``
      const [row] = await sql<DirectoryEntry[]>`
        UPDATE directory_entries
        SET ${ordering} properties = jsonb_strip_nulls(properties || ${sql.json(properties as never)}::jsonb)
        WHERE id = ${id} AND ${conditions(sql, directory, {})}
        RETURNING id, properties`
      await announceDirectory(sql, directory)
      return row
    },

    remove: async (directory, id) => {
      const { count } = await sql`
        DELETE FROM directory_entries WHERE id = ${id} AND ${conditions(sql, directory, {})}`
      await announceDirectory(sql, directory)
      return count === 1
    },

    referencing: async (directory, field, values) => {
      const rows = await sql<{ value: string; id: string }[]>`
        SELECT wanted.value, e.id FROM unnest(${[...values]}::text[]) AS wanted(value)
        JOIN directory_entries e ON e.directory = ${directory.name} AND (
          e.properties @> jsonb_build_object(${field}::text, wanted.value)
          OR e.properties @> jsonb_build_object(${field}::text, jsonb_build_array(wanted.value)))
        ORDER BY e.ordering, e.id`
      return [...rows]
    },

    nextId: async (directory) => {
      const [row] = await sql<{ id: string }[]>`
        INSERT INTO directory_states AS s (directory, last_id)
        SELECT ${directory.name}, 1 + coalesce(max(id::bigint), 0) FROM directory_entries
        WHERE directory = ${directory.name} AND id ~ '^[0-9]{1,15}$'
        ON CONFLICT (directory) DO UPDATE SET last_id = greatest(s.last_id + 1, excluded.last_id)
        RETURNING last_id::text AS id`
      return row!.id
    },

    atomically: (work) => inTransaction(sql, (tx) => work(createDirectoryStore(tx))),
  }
}
