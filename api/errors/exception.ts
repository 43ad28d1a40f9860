import { validationReport } from '../../core/model/properties/index.js'
import {
  type ArchivoltError,
  fail,
  isArchivoltError,
  isCallersDoing,
} from '../../core/platform/errors/index.js'
import { inSources } from '../../core/platform/telemetry/index.js'
import { engineFailure, missingKeyFailure } from '../../engine/index.js'
import { databaseFailure } from '../../storage/postgres/index.js'

/** The public form of an error: ours, or one of the database, of Temporal or of its payloads that concerns the caller. */
export const knownError = (error: unknown): ArchivoltError | undefined =>
  isArchivoltError(error)
    ? error
    : (databaseFailure(error) ?? engineFailure(error) ?? missingKeyFailure(error))

/** Replaces every unexpected error: its details are not disclosed. */
const INTERNAL = fail('internal', 'Internal Server Error')

const stackOf = (error: unknown): string =>
  error instanceof Error ? inSources(error.stack ?? error.message) : String(error)

/** The chain of causes, as a program reads it. */
const causeOf = (error: unknown): object => {
  if (!(error instanceof Error)) return { className: typeof error, message: String(error) }
  const { name, message, cause } = error
  return { className: name, message, ...(cause !== undefined && { cause: causeOf(cause) }) }
}

/**
 * The body of an error on the REST and automation protocols (rest-documents.md §11): an exception entity, or
 * a validation report for values that break the content model's constraints, with its `text` for callers who accept
 * no JSON.
 */
export const exceptionEntity = (
  error: unknown,
  { includeStackTrace = false }: { includeStackTrace?: boolean } = {},
): { status: number; body: object; text?: string; retryAfter?: number | undefined } => {
  const known = knownError(error) ?? INTERNAL
  const report = validationReport(known.details)
  if (report) return { status: known.status, body: report, text: known.message }
  return {
    status: known.status,
    retryAfter: known.retryAfter,
    body: {
      'entity-type': 'exception',
      code: known.code,
      status: known.status,
      message: known.code === 'internal' ? INTERNAL.message : known.message,
      ...(known.details.length > 0 && { details: known.details }),
      ...(includeStackTrace && { stacktrace: stackOf(error), exception: causeOf(error) }),
    },
  }
}

/** Whether an error is the fault of the product or its services, not of the caller. */
export const isFault = (error: unknown): boolean => {
  const known = knownError(error)
  return known === undefined || !isCallersDoing(known)
}
