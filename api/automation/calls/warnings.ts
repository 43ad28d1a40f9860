import { unknownParametersOfCall } from '../../../core/automation/chains/index.js'
import { suggestion } from '../../../core/platform/contributions/index.js'
import type { RequestContext } from '../../edge/index.js'
import type { Call } from './calls.js'
import { TIME_LIMIT } from './time-limit.js'

const MAX_WARNINGS = 5

const MEMBERS = ['input', 'params', 'context']

const timeLimitWarnings = (c: RequestContext): string[] => {
  const given = c.req.header(TIME_LIMIT)
  return given === undefined || Number(given) > 0
    ? []
    : [`${TIME_LIMIT}: ${JSON.stringify(given)} is no number of seconds above 0`]
}

/**
 * What of a call is ignored: a time limit that is none, members of its body that it has none of, and parameters that nothing reads, with those that
 * were probably meant.
 */
export const warningsOfCall = (c: RequestContext, { id, callable, request, registry }: Call): string[] =>
  [
    ...timeLimitWarnings(c),
    ...(c.get('unknownMembers') ?? []).map((name) => {
      const meant = suggestion(name, MEMBERS) || `; known are ${MEMBERS.join(', ')}`
      return `unknown member "${name}" of the call${meant}`
    }),
    ...unknownParametersOfCall({ called: id, callable, given: request.params }, registry),
  ].slice(0, MAX_WARNINGS)
