/**
 * The one error table of the product.
 *
 * Every rule that refuses something throws `fail(code, message)`; each protocol has one mapper from these
 * codes to its own shape. `status` is the HTTP status, `retryable` says whether another
 * attempt may succeed without anybody changing anything.
 */
export const errorTable = {
  badRequest: { status: 400, retryable: false },
  unauthenticated: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  notFound: { status: 404, retryable: false },
  methodNotAllowed: { status: 405, retryable: false },
  notAcceptable: { status: 406, retryable: false },
  conflict: { status: 409, retryable: false },
  /** It was there; what was asked for will not come, as it was cancelled. */
  gone: { status: 410, retryable: false },
  preconditionFailed: { status: 412, retryable: false },
  tooLarge: { status: 413, retryable: false },
  unsupportedMediaType: { status: 415, retryable: false },
  rangeNotSatisfiable: { status: 416, retryable: false },
  invalid: { status: 422, retryable: false },
  /** The file cannot be converted, for a reason that lies in it. */
  conversionFailed: { status: 422, retryable: false },
  /** The user's quota of concurrent work is used up. */
  tooManyRequests: { status: 429, retryable: false },
  /** The chain or operation cannot answer: no valid path, missing parameter. */
  operationFailed: { status: 500, retryable: false },
  internal: { status: 500, retryable: true },
  /** A quota of stored bytes is used up. */
  insufficientStorage: { status: 507, retryable: false },
  notSupported: { status: 501, retryable: false },
  unavailable: { status: 503, retryable: true },
  timeout: { status: 504, retryable: true },
} as const

export type ErrorCode = keyof typeof errorTable

/** Where in a deployed text an error stands: 1-based line and column, and the field's path. */
export type ErrorLocation = { line?: number; column?: number; field?: string }

/**
 * `severity` of warnings, which refuse nothing by themselves; `contribution` (`chains/demo`) and
 * `source`, its position in the request, where several are deployed at once.
 */
export type ErrorDetail = ErrorLocation & {
  message: string
  severity?: 'warning'
  contribution?: string
  source?: number
}

export type ArchivoltErrorOptions = {
  cause?: unknown
  details?: readonly ErrorDetail[]
  retryable?: boolean
  /** Seconds after which another try makes sense. */
  retryAfter?: number | undefined
}

/** An error whose message may be shown to the caller. Anything else is an internal error. */
export class ArchivoltError extends Error {
  override readonly name = 'ArchivoltError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryable: boolean
  readonly details: readonly ErrorDetail[]
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: ArchivoltErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = errorTable[code].status
    this.retryable = options.retryable ?? errorTable[code].retryable
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
  }
}

/** Builds the error that a rule throws: `throw fail('notFound', id)`. */
export const fail = (code: ErrorCode, message: string, options?: ArchivoltErrorOptions): ArchivoltError =>
  new ArchivoltError(code, message, options)

/** Whether an error is its caller's doing: a mistake, or a quota that the caller has used up. Nothing is broken then. */
export const isCallersDoing = ({ code }: Pick<ArchivoltError, 'code'>): boolean =>
  errorTable[code].status < 500 || code === 'insufficientStorage'

/** `instanceof` fails across module realms (a bundle beside its sources), so the name is compared too. */
export const isArchivoltError = (error: unknown): error is ArchivoltError =>
  error instanceof ArchivoltError ||
  (error instanceof Error && error.name === 'ArchivoltError' && 'code' in error)

/** What is looked for; undefined where it is not there, or may not be seen. @throws what else the search fails with. */
export const ifFound = async <Found>(search: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await search
  } catch (error) {
    if (isArchivoltError(error) && error.code === 'notFound') return undefined
    throw error
  }
}

export { NEEDS_TRANSACTION, requireAtomic } from './atomic.js'
