import { unknownParametersOfCall } from '../../../core/automation/chains/index.js'
import { suggestion } from '../../../core/platform/contributions/index.js'
import type { RequestContext } from '../../edge/index.js'
import { respondWithWarnings } from '../../warnings/index.js'
import type { Call } from './calls.js'

const MAX_WARNINGS = 5

const MEMBERS = ['input', 'params', 'context']

/**
 * What of a call is ignored: members of its body that it has none of, and parameters that nothing reads, with those that
 * were probably meant.
 */
export const warningsOfCall = (c: RequestContext, { id, callable, request, registry }: Call): string[] =>
  [
    ...(c.get('unknownMembers') ?? []).map((name) => {
      const meant = suggestion(name, MEMBERS) || `; known are ${MEMBERS.join(', ')}`
      return `unknown member "${name}" of the call${meant}`
    }),
    ...unknownParametersOfCall({ called: id, callable, given: request.params }, registry),
  ].slice(0, MAX_WARNINGS)

/** Responds to a call, and says in a header what of it is ignored, also when it fails. */
export const withWarnings = (
  c: RequestContext,
  call: Call,
  work: () => Promise<Response>,
): Promise<Response> => respondWithWarnings(c, warningsOfCall(c, call), work)
