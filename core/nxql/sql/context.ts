import type { ContentModel } from '../../content-model/index.js'
import type { Binder } from './binder.js'
import type { Budget } from './budget.js'
import type { Correlations } from './correlation.js'

/** What the parts of one compilation share. */
export type Context = {
  model: ContentModel
  /** Instant that `NOW()` means. */
  now: Date
  binder: Binder
  /** A table alias that no other part of the statement has. */
  alias(): string
  correlations: Correlations
  /** Tests of containment: the planner weighs the index scans of each pair of them. */
  containments: Budget
  /** Subqueries for ancestors. */
  ancestors: Budget
}
