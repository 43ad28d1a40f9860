import { type ErrorCode, errorTable, fail } from '../../platform/errors/index.js'

/** The failure of a run's step: the error that the core threw, as the engine recorded it. */
export type StepFailure = {
  message: string
  code?: string | undefined
  details?: readonly unknown[] | undefined
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code)

/**
 * The error of a failed run for its caller, as the core threw it.
 *
 * @param failed the engine's own error. It is thrown for internal errors, which are logged where they happen, as their
 * messages may quote statements.
 */
export const errorOfRun = ({ message, code = '', details = [] }: StepFailure, failed: Error): Error => {
  const known = isErrorCode(code) ? code : 'operationFailed'
  return known === 'internal' ? failed : fail(known, message, { cause: failed, details: details as never })
}

/** The error of a run that was cancelled. */
export const errorOfCancelled = (failed: Error): Error =>
  fail('conflict', 'The run was cancelled', { cause: failed })
