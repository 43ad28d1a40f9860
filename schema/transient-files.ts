import { bigint, boolean, foreignKey, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { writtenAt } from './columns.js'

/** Entries of the transient stores that nodes share, such as batches of uploads, in the main database. */
export const transientFileEntries = pgTable(
  'transient_file_entries',
  {
    store: text('store').notNull(),
    key: text('key').notNull(),
    /** When its life began again; how long it lasts is the store's. */
    touchedAt: writtenAt('touched_at'),
    releasedAt: timestamp('released_at', { withTimezone: true }),
    isCompleted: boolean('is_completed').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.store, t.key] })],
)

/** Parameters and blobs of an entry. */
export const transientFileParts = pgTable(
  'transient_file_parts',
  {
    store: text('store').notNull(),
    key: text('key').notNull(),
    /** `parameter` or `blob`. */
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    /** A parameter's value, or what the blob store has. */
    value: jsonb('value').notNull(),
    /** Bytes of a blob. */
    length: bigint('length', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.store, t.key, t.kind, t.name] }),
    foreignKey({
      name: 'transient_file_parts_entry',
      columns: [t.store, t.key],
      foreignColumns: [transientFileEntries.store, transientFileEntries.key],
    }).onDelete('cascade'),
  ],
)
