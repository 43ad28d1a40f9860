import { withinTimeLimit } from '../../../core/automation/execution/index.js'
import type { RequestContext } from '../../edge/index.js'

/** The header by which a caller limits the time of a call. */
export const TIME_LIMIT = 'Nuxeo-Transaction-Timeout'

/** Default and maximum time limit of the transaction of a call, seconds. */
const USUAL_SECONDS = 300
const MAX_SECONDS = 3_600

/** Applies the caller's time limit in seconds; a value that is no number is ignored (reference: automation.md §3). */
export const limited = <Result>(
  c: RequestContext,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const given = Number(c.req.header(TIME_LIMIT))
  const seconds = given > 0 ? Math.min(given, MAX_SECONDS) : USUAL_SECONDS
  return withinTimeLimit({ signal: c.req.raw.signal, seconds }, work)
}
