import { z } from 'zod'
import type { Principal } from '../../core/access/security/index.js'
import type { CallKey } from '../../core/automation/run-store/index.js'
import { digest } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { type RequestContext, routedPath } from '../edge/index.js'

export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** The header of a response that repeats an earlier request with the same key. */
export const REPLAYED = 'Idempotent-Replayed'

/** For the descriptions of routes that honour it. */
export const replayedHeader = { [REPLAYED]: 'true: it was done for an earlier request with the same key' }

const MAX_KEY_LENGTH = 255

/** For the descriptions of routes that honour it. */
export const idempotencyHeader = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .min(1)
    .max(MAX_KEY_LENGTH)
    .optional()
    .describe('The same call with the same key runs once'),
})

/** @throws badRequest for a key that is empty or longer than 255 characters. */
export const checkIdempotencyKey = (key: string | undefined): string | undefined => {
  if (key === undefined) return undefined
  if (key.trim() === '' || key.length > MAX_KEY_LENGTH)
    throw fail('badRequest', `${IDEMPOTENCY_KEY}: must have 1 to ${MAX_KEY_LENGTH} characters`)
  return key
}

/**
 * The receipt under which the outcome of a call is stored for a caller's key, if there is one.
 *
 * @param asked what must be the same for the key to mean the same call.
 */
export const callKey = (
  key: string | undefined,
  { principal, asked }: { principal: Principal; asked: unknown },
): CallKey | undefined => {
  const checked = checkIdempotencyKey(key)
  if (checked === undefined) return undefined
  return {
    workflowId: `key-${digest([principal.name, checked])}`,
    step: 'operation',
    fingerprint: digest(asked),
  }
}

/**
 * The same for a request that is no automation call; its method and address are part of the request.
 *
 * @param body what it requests besides them.
 */
export const requestKey = (c: RequestContext, body: () => unknown): CallKey | undefined => {
  const key = c.req.header(IDEMPOTENCY_KEY)
  if (key === undefined) return undefined
  const asked = [c.req.method, routedPath(c.req.url), body()]
  const found = callKey(key, { principal: c.get('principal'), asked })
  // A receipt is looked up first: work that a conflict would discard is not worth beginning.
  return found && { ...found, isRepeated: true }
}
