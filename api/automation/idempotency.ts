import { createHash } from 'node:crypto'
import type { CallKey, RunRequest } from '../../core/automation/index.js'
import { fail } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'

const MAX_KEY_LENGTH = 255

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** @throws badRequest for a key that is empty or longer than 255 characters. */
export const checkIdempotencyKey = (key: string | undefined): string | undefined => {
  if (key === undefined) return undefined
  if (key.trim() === '' || key.length > MAX_KEY_LENGTH)
    throw fail('badRequest', `Idempotency-Key: 1 to ${MAX_KEY_LENGTH} characters are possible`)
  return key
}

/** The receipt under which an operation's answer is kept for a caller's key, if there is one. */
export const operationKey = (
  key: string | undefined,
  { principal, operation, request }: { principal: Principal; operation: string; request: RunRequest },
): CallKey | undefined => {
  const checked = checkIdempotencyKey(key)
  if (checked === undefined) return undefined
  return {
    workflowId: `key-${digest([principal.name, checked])}`,
    step: 'operation',
    fingerprint: digest([operation, request]),
  }
}
