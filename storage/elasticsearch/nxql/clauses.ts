import type { estypes } from '@elastic/elasticsearch'

export type Clause = estypes.QueryDslQueryContainer

/** Bounds of a range; dates are ISO 8601. */
export type Bounds = { gt?: string; gte?: string; lt?: string; lte?: string }

export const EVERYTHING: Clause = { match_all: {} }
export const NOTHING: Clause = { match_none: {} }

export const allOf = (clauses: readonly Clause[]): Clause => {
  const [only, ...others] = clauses
  if (!only) return EVERYTHING
  return others.length === 0 ? only : { bool: { filter: [...clauses] } }
}

export const anyOf = (clauses: readonly Clause[]): Clause => {
  const possible = clauses.filter((clause) => clause !== NOTHING)
  const [only, ...others] = possible
  if (!only) return NOTHING
  return others.length === 0 ? only : { bool: { should: possible, minimum_should_match: 1 } }
}

export const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } })

export const exists = (field: string): Clause => ({ exists: { field } })

export const oneOf = (field: string, values: readonly (string | boolean)[]): Clause =>
  values.length === 0 ? NOTHING : { terms: { [field]: [...values] } }

export const within = (field: string, bounds: Bounds): Clause => ({ range: { [field]: bounds } })
