import type { NamedFailure } from '../failures/item-failure.js'
/** A loop of a dry run whose items would have had transactions of their own. */
export type RehearsedLoop = {
  operation: string
  target: string
  total: number
  /** Items that it passed over. */
  failed: number
  /** The first of them. */
  failures: NamedFailure[]
}

/** What a dry run tells beside its effects. */
export type RehearsalNotes = {
  /** In order; the first `MOST_LOOPS`. */
  loops: RehearsedLoop[]
  /** Ids of the bulk commands that it gave: they would begin after the commit. */
  commands: string[]
}
