import { failureOf } from '../engine/index.js'

type Failure = { type?: string; reason?: string | null; caused_by?: Failure; root_cause?: Failure[] }

/** The innermost reason that the engine gives. */
const reasonIn = ({ reason, caused_by, root_cause: [root] = [] }: Failure): string | undefined =>
  (caused_by && reasonIn(caused_by)) ?? (root && reasonIn(root)) ?? (reason || undefined)

/** Whether a search wants more memory than there is. */
const isTooLarge = ({ root_cause = [], ...failure }: Failure): boolean =>
  [failure, ...root_cause].some(({ type }) => type === 'circuit_breaking_exception')

/**
 * Why the engine refuses a search; undefined when it is not the search's fault. What wants more memory than there is, or
 * more steps than the engine allows, it answers with 429, 500 and 503.
 */
export const refusalOf = (error: unknown): string | undefined => {
  const failed = failureOf(error)
  if (!failed) return undefined
  const { error: failure = {} } = (failed.body ?? {}) as { error?: Failure }
  const isRefused = failed.statusCode === 400 || failed.statusCode === 500 || isTooLarge(failure)
  return isRefused ? (reasonIn(failure) ?? 'the search engine refuses the search') : undefined
}
