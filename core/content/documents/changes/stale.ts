import { fail } from '../../../platform/errors/index.js'

/** Thrown when a document changed between its reading and its writing in one unit of work, which is then retried. */
export const staleDocument = (id: string) =>
  fail('conflict', `Document ${id} was changed by somebody else meanwhile`, { retryable: true })
