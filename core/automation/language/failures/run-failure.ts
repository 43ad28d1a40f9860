import { isArchivoltError } from '../../../platform/errors/index.js'

export type RunFailure = { code: string; status: number; message: string }

/** What a run has failed with, as its caller reads it. */
export const runFailureOf = (error: unknown): RunFailure =>
  isArchivoltError(error)
    ? { code: error.code, status: error.status, message: error.message }
    : { code: 'internal', status: 500, message: 'Internal error' }
