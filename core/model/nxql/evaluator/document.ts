import type { Json } from './values.js'

/** A document as the evaluator sees it: special properties by their names in NXQL, dates as ISO 8601 in UTC. */
export type EvaluatedDocument = {
  id: string
  path: string | null
  type: string
  facets: readonly string[]
  isTrashed: boolean
  columns: { [name: string]: string | number | boolean | null }
  properties: { [key: string]: Json }
  /** Entries of local ACLs by the names of `ecm:acl/*`; their positions count from 1. */
  aces: readonly { [column: string]: string | number | boolean | null }[]
  mayBrowse(identities: readonly string[]): boolean
}
