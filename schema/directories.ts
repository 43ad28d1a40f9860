import { bigint, customType, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Ids sort byte by byte, the same on every server. */
const idText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/** Entries of all directories that keep their own: vocabularies and whatever a deployment defines. */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    directory: text('directory').notNull(),
    id: idText('id').notNull(),
    /** Of the property `ordering`: the order in which entries are listed. */
    ordering: bigint('ordering', { mode: 'number' }).notNull().default(0),
    /** Values by the bare names of the directory's schema. */
    properties: jsonb('properties').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.directory, t.id] }),
    index('directory_entries_order').on(t.directory, t.ordering, t.id),
    index('directory_entries_properties').using('gin', t.properties.op('jsonb_path_ops')),
  ],
)

/** What is known of a directory beside its entries. */
export const directoryStates = pgTable('directory_states', {
  directory: text('directory').primaryKey(),
  /** SHA-256 of the data file that was loaded last, and of the way it was. */
  loaded: text('loaded'),
  loadedAt: timestamp('loaded_at', { withTimezone: true }),
  /** The number that was given last to an entry of a directory that numbers them. */
  lastId: bigint('last_id', { mode: 'number' }).notNull().default(0),
})
