import { elementsOf, type JsonPath } from './json-path.js'

/** A table of elements of a document: how it stands in FROM, and which of its rows belong to the document. */
export type Table = {
  alias: string
  sql: string
  /** Condition on the rows; TRUE when the table has no others. */
  on: string
  /** The order of the elements. */
  rank: string
}

export const tableOfElements = (list: JsonPath, alias: string): Table => ({
  alias,
  sql: elementsOf(list, alias),
  on: 'TRUE',
  rank: `${alias}.rank`,
})

/** Whether some row of the tables, outermost first, passes a test. */
export const someElement = (tables: readonly Table[], test: string): string =>
  tables.reduceRight((inner, { sql, on }) => {
    const conditions = on === 'TRUE' ? inner : `${on} AND ${inner}`
    return `EXISTS (SELECT 1 FROM ${sql} WHERE ${conditions})`
  }, test)

export const leftJoin = ({ sql, on }: Table): string => ` LEFT JOIN ${sql} ON ${on}`

/** Looks through the elements as well, and at a null one where there is none. */
export const someOrNoElement = (tables: readonly Table[], test: string): string =>
  tables.reduceRight(
    (inner, table) => `EXISTS (SELECT 1 FROM (SELECT 1) AS one${leftJoin(table)} WHERE ${inner})`,
    test,
  )
