import { refuse } from '../../../../core/model/nxql/index.js'
import { leftJoin, type Table } from '../places/tables.js'

/** Every one multiplies the rows that a document is tried with. */
const MAX_VARIABLES = 4

/**
 * The numbered wildcards of a query: `x/*1` is the same element wherever it is written (reference:
 * nxql-search.md §4). Each is a table of elements joined once around all conditions that mention one.
 */
export type Correlations = {
  /** Alias of the table of the wildcard, which is asked for when it is new. */
  variable(xpath: string, offset: number, tableAs: (alias: string) => Table): string
  /** How often a variable was asked for: shows a compiler whether a condition mentions one. */
  uses(): number
  /**
   * Whether variables that are asked for from now on, for the first time, belong to the rows that the query
   * selects: they are joined to the documents, by `selected`, and not inside a condition.
   */
  selecting(isSelecting: boolean): void
  /** The tables that the rows of the query are made of. */
  selected(): readonly Table[]
  /** Wraps the conditions that mention variables. */
  wrap(conditions: readonly string[]): string
}

export const createCorrelations = (alias: () => string): Correlations => {
  const variables = new Map<string, Table & { isSelected: boolean }>()
  let uses = 0
  let isSelecting = false
  const chosen = (isSelected: boolean) =>
    [...variables.values()].filter((variable) => variable.isSelected === isSelected)
  return {
    variable: (xpath, offset, tableAs) => {
      uses += 1
      const known = variables.get(xpath)
      if (known) return known.alias
      if (variables.size >= MAX_VARIABLES) {
        throw refuse(`more than ${MAX_VARIABLES} different numbered wildcards`, offset)
      }
      const name = alias()
      variables.set(xpath, { ...tableAs(name), isSelected: isSelecting })
      return name
    },
    uses: () => uses,
    selecting: (now) => {
      isSelecting = now
    },
    selected: () => chosen(true),
    // An outer join: a document without elements still has the conditions that do not need one.
    wrap: (conditions) => {
      const joins = chosen(false).map(leftJoin)
      const test = conditions.join(' AND ')
      if (joins.length === 0) return test
      return `EXISTS (SELECT 1 FROM (SELECT 1) AS correlated${joins.join('')} WHERE ${test})`
    },
  }
}
