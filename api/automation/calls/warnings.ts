import { unknownParametersOfCall } from '../../../core/automation/chains/index.js'
import { suggestion } from '../../../core/platform/contributions/index.js'
import type { RequestContext } from '../../edge/index.js'
import { WARNING } from '../headers.js'
import type { Call } from './calls.js'

const MAX_WARNINGS = 5
const MAX_LENGTH = 1_000

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

/** Headers hold printable ASCII alone. */
const asHeader = (warnings: readonly string[]): string =>
  warnings
    .join('; ')
    // By way of bytes, as a text of JSON may hold half a character.
    .replace(/[^ -~]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()))
    .slice(0, MAX_LENGTH)

/** Responds to a call, and says in a header what of it is ignored, also when it fails. */
export const withWarnings = async (
  c: RequestContext,
  call: Call,
  work: () => Promise<Response>,
): Promise<Response> => {
  const warnings = warningsOfCall(c, call)
  if (warnings.length === 0) return work()
  c.header(WARNING, asHeader(warnings))
  const response = await work()
  response.headers.set(WARNING, asHeader(warnings))
  return response
}
