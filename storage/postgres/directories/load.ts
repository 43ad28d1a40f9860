import type { DirectoryLoader } from '../../../core/content/directories/index.js'
import type { Sql } from '../connection/index.js'
import { announceDirectory } from './announce.js'
import { orderingOf } from './ordering.js'

/** Brings data files into directories, in the transaction of the first start. */
export const createDirectoryLoader = (sql: Sql): DirectoryLoader => ({
  loaded: async () => {
    const rows = await sql<{ directory: string; loaded: string }[]>`
      SELECT directory, loaded FROM directory_states WHERE loaded IS NOT NULL`
    return new Map(rows.map(({ directory, loaded }) => [directory, loaded]))
  },

  load: async (directory, entries, { onDuplicate, isReplacing }) => {
    const { name } = directory
    if (isReplacing) await sql`DELETE FROM directory_entries WHERE directory = ${name}`
    const rows = entries.map((entry) => ({ ...entry, ordering: orderingOf(entry.properties) }))
    const onConflict =
      onDuplicate === 'skip'
        ? sql`DO NOTHING`
        : sql`(directory, id) DO UPDATE SET ordering = excluded.ordering, properties = excluded.properties`
    const { count } = await sql`
      INSERT INTO directory_entries (directory, id, ordering, properties)
      SELECT ${name}, e.id, e.ordering, e.properties
      FROM jsonb_to_recordset(${sql.json(rows as never)}) AS e(id text, ordering bigint, properties jsonb)
      ON CONFLICT ${onConflict}`
    await announceDirectory(sql, directory)
    return { added: count }
  },

  remember: async (loaded) => {
    if (loaded.size === 0) return
    await sql`
      INSERT INTO directory_states (directory, loaded, loaded_at)
      SELECT directory, loaded, now()
      FROM unnest(${[...loaded.keys()]}::text[], ${[...loaded.values()]}::text[]) AS r(directory, loaded)
      ON CONFLICT (directory) DO UPDATE SET loaded = excluded.loaded, loaded_at = excluded.loaded_at`
  },
})
