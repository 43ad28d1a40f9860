import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Properties } from '../../../core/model/properties/index.js'

/** Rows in the order of the names that were asked for, each as often as it was. */
export const inOrder = <Row>(
  rows: readonly Row[],
  names: readonly string[],
  nameOf: (row: Row) => string,
): Row[] => {
  const byName = new Map(rows.map((row) => [nameOf(row), row]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** What a change sets: the columns that it names, and properties joined with those that are there. */
export const changeOf = <Change extends { properties?: Properties }>(
  { properties, ...change }: Change,
  stored: PgColumn,
): Omit<Change, 'properties'> & { properties?: SQL } => ({
  ...change,
  ...(properties && {
    properties: sql`jsonb_strip_nulls(${stored} || ${sql.param(properties, stored)}::jsonb)`,
  }),
})
