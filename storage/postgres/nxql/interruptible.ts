import type { Context } from './context.js'

/**
 * A condition between whose evaluations the database looks whether it is to end: it does so for each row, and for each
 * subquery, but not within an expression. Without, a row that is costly to read held a backend for minutes, beyond its
 * time limit and whatever ended its session. The first conditions of a query stay plain, for the indexes.
 */
export const interruptible = (condition: string, { plainConditions }: Context): string =>
  plainConditions(1) ? condition : `(SELECT ${condition})`
