import { type ArchivoltError, fail } from '../../errors/index.js'

/** Part of the language that this backend does not answer yet. */
export const notSupportedYet = (what: string, offset: number): ArchivoltError =>
  fail('badRequest', `NXQL: ${what} is not supported yet, at offset ${offset}`)

/** Well-formed, and without a meaning here. */
export const refuse = (message: string, offset: number): ArchivoltError =>
  fail('badRequest', `NXQL: ${message} at offset ${offset}`)
