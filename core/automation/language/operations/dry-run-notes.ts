import type { NamedFailure } from '../failures/item-failure.js'
/** A loop of a dry run whose items would have had transactions of their own. */
export type DryRunLoop = {
  operation: string
  target: string
  total: number
  /** Items that failed. */
  failed: number
  /** The first of them. */
  failures: NamedFailure[]
}

/** What a dry run reports beside its effects. */
export type DryRunNotes = {
  /** In order; the first `MAX_LOOPS`. */
  loops: DryRunLoop[]
  /** Ids of the bulk commands that it gave: they would begin after the commit. */
  commands: string[]
}
