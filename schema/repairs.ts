import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What a release has put right in this database, once, of what one before it had left wrong. */
export const repairs = pgTable('repairs', {
  name: text('name').primaryKey(),
  doneAt: timestamp('done_at', { withTimezone: true }).notNull().defaultNow(),
})
