import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { challengeOf } from '../auth/index.js'
import { ClientGone, incomingOf, loggedPath, type RequestContext } from '../edge/index.js'
import { exceptionEntity, isFault, knownError } from './exception.js'

/** Callers without an `Accept` header are assumed to accept JSON. */
const takesJson = (c: RequestContext): boolean => {
  const accept = c.req.header('Accept') ?? '*/*'
  return /json|nxentity|esentity|\*\/\*|application\/\*/i.test(accept) || accept.trim() === ''
}

/** Statuses after which a retry may succeed, whatever the error says. */
const RETRIED = new Set([429, 503])

/** What web servers log for a client that has closed its connection before the answer; nobody receives it. */
const CLIENT_CLOSED = 499

/** Whether the client has gone before its answer was made, or within the body of its request, whose reader fails thereby. */
const hasBrokenOff = (error: unknown, c: RequestContext): boolean => {
  if (error instanceof ClientGone) return true
  const incoming = incomingOf(c)
  return incoming?.destroyed === true && !incoming.complete && knownError(error) === undefined
}

/**
 * Responds to an error thrown by a handler; faults are logged with their cause, under the request's id.
 *
 * @param options.includeStackTrace the extended mode of rest-documents.md §11, for callers who are logged in
 */
export const errorHandler =
  (logger: Logger, options: { includeStackTrace?: boolean } = {}) =>
  (error: unknown, c: RequestContext): Response => {
    if (hasBrokenOff(error, c)) {
      const reason = error instanceof Error ? error.message : String(error)
      logger.info({ requestId: c.get('requestId'), path: loggedPath(c), reason }, 'client broke off')
      return c.body(null, CLIENT_CLOSED as StatusCode)
    }
    // Strangers learn nothing of the code, whatever the setting.
    const includeStackTrace = options.includeStackTrace === true && c.get('principal') !== undefined
    const { status, body, text, retryAfter } = exceptionEntity(error, { includeStackTrace })
    const place = { requestId: c.get('requestId'), path: loggedPath(c) }
    if (isFault(error)) logger.error({ err: error, ...place }, 'request failed')
    // A quota is for operators to know of, and nothing is broken.
    else if (status === 507) logger.warn({ ...place, reason: String(error) }, 'refused for lack of space')
    if (text !== undefined && !takesJson(c)) return c.text(text, status as ContentfulStatusCode)
    const challenge = status === 401 ? challengeOf(c) : undefined
    return c.json(body, status as ContentfulStatusCode, {
      'Content-Type': 'application/json; charset=UTF-8',
      ...(challenge && { 'WWW-Authenticate': challenge }),
      ...((RETRIED.has(status) || retryAfter !== undefined) && { 'Retry-After': String(retryAfter ?? 1) }),
    })
  }
