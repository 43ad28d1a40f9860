import { type ArchivoltError, fail } from '../../../platform/errors/index.js'

/** Well-formed, and without a meaning here. */
export const refuse = (message: string, offset: number): ArchivoltError =>
  fail('badRequest', `NXQL: ${message} at offset ${offset}`)
