import { refuse } from './unsupported.js'

/** Every one multiplies the rows that a document is tried with. */
const MAX_VARIABLES = 4

/**
 * The numbered wildcards of a query: `x/*1` is the same element wherever it is written (reference:
 * nxql-search.md §4). Each is a table of elements joined once around all conditions that mention one.
 */
export type Correlations = {
  /** Alias of the table of the wildcard; `join` is asked for its SQL when it is new. */
  variable(xpath: string, offset: number, join: (alias: string) => string): string
  /** How often a variable was asked for: tells a compiler whether a condition mentions one. */
  uses(): number
  /** Wraps the conditions that mention variables. */
  wrap(conditions: readonly string[]): string
}

export const createCorrelations = (alias: () => string): Correlations => {
  const variables = new Map<string, { alias: string; join: string }>()
  let uses = 0
  return {
    variable: (xpath, offset, join) => {
      uses += 1
      const known = variables.get(xpath)
      if (known) return known.alias
      if (variables.size >= MAX_VARIABLES) {
        throw refuse(`more than ${MAX_VARIABLES} different numbered wildcards`, offset)
      }
      const name = alias()
      variables.set(xpath, { alias: name, join: join(name) })
      return name
    },
    uses: () => uses,
    // An outer join: a document without elements still has the conditions that do not need one.
    wrap: (conditions) => {
      const joins = [...variables.values()].map(({ join }) => ` LEFT JOIN ${join} ON TRUE`).join('')
      return `EXISTS (SELECT 1 FROM (SELECT 1) AS correlated${joins} WHERE ${conditions.join(' AND ')})`
    },
  }
}
