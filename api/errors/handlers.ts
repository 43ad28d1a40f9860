import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { challengeOf } from '../auth/index.js'
import type { RequestContext } from '../environment.js'
import { exceptionEntity, isFault } from './exception.js'

/** Answers an error thrown by a handler; faults are logged with their cause, under the request's id. */
export const answerError =
  (logger: Logger) =>
  (error: unknown, c: RequestContext): Response => {
    const { status, body } = exceptionEntity(error)
    if (isFault(error))
      logger.error({ err: error, requestId: c.get('requestId'), path: c.req.path }, 'request failed')
    const challenge = status === 401 ? challengeOf(c) : undefined
    return c.json(body, status as ContentfulStatusCode, {
      'Content-Type': 'application/json; charset=UTF-8',
      ...(challenge && { 'WWW-Authenticate': challenge }),
      ...(status === 503 && { 'Retry-After': '1' }),
    })
  }
