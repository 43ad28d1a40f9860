import { isNotNull } from 'drizzle-orm'
import type { DirectoryLoader } from '../../../core/content/directories/index.js'
import { directoryEntries, directoryStates } from '../../../schema/directories.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { announceDirectory } from './announce.js'
import { orderingOf } from './ordering.js'

const ENTRIES = tableOf(directoryEntries)
const STATES = tableOf(directoryStates)
const ENTRY = columnsOf(directoryEntries)
const STATE = columnsOf(directoryStates)

/** Brings data files into directories, in the transaction of the first start. Files may be long: one text for each. */
export const createDirectoryLoader = (sql: Sql): DirectoryLoader => ({
  loaded: async () => {
    const { directory, loaded } = directoryStates
    const rows = await typed(sql).select({ directory, loaded }).from(directoryStates).where(isNotNull(loaded))
    return new Map(rows.map((row) => [row.directory, row.loaded ?? '']))
  },

  load: async (directory, entries, { onDuplicate, isReplacing }) => {
    const { name } = directory
    if (isReplacing) await named(sql)`DELETE FROM ${ENTRIES} WHERE ${ENTRY.directory} = ${name}`
    const rows = entries.map((entry) => ({ ...entry, ordering: orderingOf(entry.properties) }))
    const onConflict =
      onDuplicate === 'skip'
        ? sql`DO NOTHING`
        : named(sql)`(${ENTRY.directory}, ${ENTRY.id}) DO UPDATE
            SET ${ENTRY.ordering} = excluded.${ENTRY.ordering}, ${ENTRY.properties} = excluded.${ENTRY.properties}`
    const { count } = await named(sql)`
      INSERT INTO ${ENTRIES} (${ENTRY.directory}, ${ENTRY.id}, ${ENTRY.ordering}, ${ENTRY.properties})
      SELECT ${name}, r.id, r.ordering, r.properties
      FROM jsonb_to_recordset(${sql.json(rows as never)}) AS r(id text, ordering bigint, properties jsonb)
      ON CONFLICT ${onConflict}`
    await announceDirectory(sql, directory)
    return { added: count }
  },

  remember: async (loaded) => {
    if (loaded.size === 0) return
    await named(sql)`
      INSERT INTO ${STATES} (${STATE.directory}, ${STATE.loaded}, ${STATE.loadedAt})
      SELECT directory, loaded, now()
      FROM unnest(${[...loaded.keys()]}::text[], ${[...loaded.values()]}::text[]) AS r(directory, loaded)
      ON CONFLICT (${STATE.directory}) DO UPDATE
      SET ${STATE.loaded} = excluded.${STATE.loaded}, ${STATE.loadedAt} = excluded.${STATE.loadedAt}`
  },
})
