import { integer, text, timestamp } from 'drizzle-orm/pg-core'

/** Of which run something is, and of which of its steps, whose name is stable over retries and over continue-as-new. */
export const stepColumns = () => ({
  workflowId: text('workflow_id').notNull(),
  step: text('step').notNull(),
})

/** What something has failed with that was passed over, and its place among the others. */
export const failureColumns = () => ({
  position: integer('position').notNull(),
  status: integer('status').notNull(),
  message: text('message').notNull(),
})

/** A moment that is known from the beginning. */
export const writtenAt = (column: string) => timestamp(column, { withTimezone: true }).notNull().defaultNow()
