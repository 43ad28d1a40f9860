import { type ArchivoltError, fail } from '../../../core/platform/errors/index.js'
import { isConnectionLost } from '../pool/index.js'

/** Classes of SQLSTATE (PostgreSQL, appendix A) by what the caller can do about them. */
const byClass: { [sqlClass: string]: (cause: Error) => ArchivoltError } = {
  '08': (cause) => fail('unavailable', 'The database cannot be reached', { cause }),
  '22': (cause) => fail('badRequest', 'A value of the request cannot be stored or compared', { cause }),
  '40': (cause) => fail('conflict', 'The request lost against others that change the same', { cause }),
  '53': (cause) => fail('unavailable', 'The database has no resources left', { cause }),
  '54': (cause) => fail('badRequest', 'The request is larger or deeper than the database takes', { cause }),
  '57': (cause) => fail('unavailable', 'The database is being restarted', { cause }),
}

const CANCELLED = '57014'

/** Of two causes with one code, in the language of the server: what is not understood is the other one. */
const WAITED = /user request/

/** Seconds after which those try again who met a large change (`refuseWaiting`). */
const AFTER_CHANGE = 1

/** Raised by functions of our own, whose messages are for callers. */
const REFUSAL = 'AV400'

/**
 * What an error of the database means to a caller; undefined for errors of other origin and for those that
 * are mistakes of ours.
 */
export const databaseFailure = (error: unknown): ArchivoltError | undefined => {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  if (error.code === CANCELLED && WAITED.test(error.message))
    return fail('conflict', 'A large change of the same documents is under way; try again later', {
      cause: error,
      retryable: true,
      retryAfter: AFTER_CHANGE,
    })
  if (error.code === CANCELLED)
    return fail('timeout', 'The database needed longer than a statement may take', { cause: error })
  if (error.code === REFUSAL) return fail('badRequest', error.message, { cause: error })
  const isState = /^[0-9A-Z]{5}$/.test(error.code)
  const known = isState ? byClass[error.code.slice(0, 2)]?.(error) : undefined
  if (known || !isConnectionLost(error)) return known
  return fail('unavailable', 'The database cannot be reached', { cause: error })
}
