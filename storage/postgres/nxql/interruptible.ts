import type { Context } from './context.js'

/**
 * A condition, or a property in what one computes, between whose evaluations the database looks whether it is to end: it
 * does so for each row, and for each subquery, but not within an expression. Without, a row that is costly to read held a
 * backend for minutes, beyond its time limit and whatever ended its session. The first of a query stay plain, for the
 * indexes.
 */
export const interruptible = (sql: string, { plainReads }: Context): string =>
  plainReads(1) ? sql : `(SELECT ${sql})`
