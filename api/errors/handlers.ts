import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { challengeOf } from '../auth/index.js'
import type { RequestContext } from '../edge/index.js'
import { exceptionEntity, isFault } from './exception.js'

/** Callers without an `Accept` header are assumed to accept JSON. */
const takesJson = (c: RequestContext): boolean => {
  const accept = c.req.header('Accept') ?? '*/*'
  return /json|nxentity|esentity|\*\/\*|application\/\*/i.test(accept) || accept.trim() === ''
}

/** Statuses after which a retry may succeed, whatever the error says. */
const RETRIED = new Set([429, 503])

/**
 * Responds to an error thrown by a handler; faults are logged with their cause, under the request's id.
 *
 * @param options.includeStackTrace the extended mode of rest-documents.md §11, for callers who are logged in
 */
export const errorHandler =
  (logger: Logger, options: { includeStackTrace?: boolean } = {}) =>
  (error: unknown, c: RequestContext): Response => {
    // Strangers learn nothing of the code, whatever the setting.
    const includeStackTrace = options.includeStackTrace === true && c.get('principal') !== undefined
    const { status, body, text, retryAfter } = exceptionEntity(error, { includeStackTrace })
    if (isFault(error))
      logger.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'request failed')
    if (text !== undefined && !takesJson(c)) return c.text(text, status as ContentfulStatusCode)
    const challenge = status === 401 ? challengeOf(c) : undefined
    return c.json(body, status as ContentfulStatusCode, {
      'Content-Type': 'application/json; charset=UTF-8',
      ...(challenge && { 'WWW-Authenticate': challenge }),
      ...((RETRIED.has(status) || retryAfter !== undefined) && { 'Retry-After': String(retryAfter ?? 1) }),
    })
  }
