import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { writtenAt } from './columns.js'

/** What is known of each stored file, in the main database: the bytes themselves are in the store. */
export const blobs = pgTable(
  'blobs',
  {
    key: text('key').primaryKey(),
    /** Bytes. */
    length: bigint('length', { mode: 'number' }).notNull(),
    /** Who stored it first; empty: the product itself, or release 0.1.0. */
    owner: text('owner').notNull(),
    /** When somebody last stored these bytes. */
    usedAt: writtenAt('used_at'),
    /** Since when nothing has named it, as far as anybody has looked. */
    unreferencedAt: timestamp('unreferenced_at', { withTimezone: true }),
  },
  (t) => [index('blobs_unreferenced').on(t.unreferencedAt).where(sql`${t.unreferencedAt} IS NOT NULL`)],
)

/** Bytes of the files of each owner, summed up in the statements that add and remove them. */
export const blobUsage = pgTable('blob_usage', {
  owner: text('owner').primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
})

/** The mark that the store's folder carries, one row: whoever has another folder has not this database's files. */
export const blobStores = pgTable('blob_stores', { id: uuid('id').primaryKey() })
