import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The key by which processes of this installation know what they have written into Temporal: one row. */
export const runKeys = pgTable('run_keys', {
  name: text('name').primaryKey(),
  secret: text('secret').notNull(),
  /** Until when runs may have been started without a signature. Null: none may. */
  unsignedUntil: timestamp('unsigned_until', { withTimezone: true }),
  /** Until when they may have been started with a signature that was not bound to a start. Null: none may. */
  unboundUntil: timestamp('unbound_until', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
