import type { ContentModel } from '../../../core/model/content-model/index.js'
import { type Binder, createBinder } from './binder.js'
import { type Budget, createBudget } from './budget.js'
import { type Correlations, createCorrelations } from './conditions/correlation.js'

/** Beyond, equality is tested without the index: such a query would not be faster by it. */
const MAX_CONTAINMENTS = 100
const MAX_ANCESTORS = 100
const MAX_SEARCHES = 20
/** Planning 5,000 took 400 MB of a backend, which keeps them: 200 take 10. */
export const MAX_ELEMENT_READS = 200
/** The database reads a document of 5 MB again for each property, in 20 ms: a second until it looks whether to end. */
const MAX_PLAIN_READS = 50
/** LIKE compares up to as many bytes for each byte of a text: 64 in one of 5 MB take three seconds. */
const MAX_PLAIN_PATTERNS = 64

/** What the parts of one compilation share. */
export type Context = {
  model: ContentModel
  /** Instant that `NOW()` means. */
  now: Date
  /** It as a value of the statement. */
  boundNow(): string
  binder: Binder
  /** A table alias that no other part of the statement has. */
  alias(): string
  correlations: Correlations
  /** Tests of containment: the planner weighs the index scans of each pair of them. */
  containments: Budget
  /** Subqueries for ancestors. */
  ancestors: Budget
  /** Subqueries for searches of words. */
  searches: Budget
  /** Subqueries for the elements of lists, tags and ACLs. */
  elementReads: Budget
  /** Conditions, and properties in what they compute, that are evaluated in one go with those beside them. */
  plainReads: Budget
  /** Bytes of patterns that are compared without a look at the length of the text. */
  plainPatterns: Budget
  /** The searches of the query as SQL of type `tsquery`, in order. */
  searched: string[]
}

/** A context for one statement. */
export const createContext = (model: ContentModel, now: Date): Context => {
  let aliases = 0
  const alias = () => {
    aliases += 1
    return `e${aliases}`
  }
  const binder = createBinder()
  let bound: string | undefined
  return {
    model,
    now,
    boundNow: () => {
      bound ??= binder.bind(now.toISOString(), 'timestamptz')
      return bound
    },
    binder,
    alias,
    correlations: createCorrelations(alias),
    containments: createBudget(MAX_CONTAINMENTS),
    ancestors: createBudget(MAX_ANCESTORS),
    searches: createBudget(MAX_SEARCHES),
    elementReads: createBudget(MAX_ELEMENT_READS),
    plainReads: createBudget(MAX_PLAIN_READS),
    plainPatterns: createBudget(MAX_PLAIN_PATTERNS),
    searched: [],
  }
}
