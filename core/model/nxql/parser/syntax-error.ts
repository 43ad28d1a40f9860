import { type ArchivoltError, fail } from '../../../platform/errors/index.js'

const SHOWN = 60

const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text)

/** A control character would vanish from a message, so it is shown as JSON shows it. */
const visible = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')

/** A token where the grammar has none (reference: nxql-search.md §1.3). */
export const invalidToken = (text: string, offset: number): ArchivoltError =>
  fail('badRequest', `Syntax error: Invalid token <${visible(shorten(text))}> at offset ${offset}`)

/** A character that begins no token. */
export const illegalCharacter = (character: string, offset: number): ArchivoltError =>
  fail('badRequest', `Lexical Error: Illegal character <${visible(character)}> at offset ${offset}`)

/** A token that is well placed and has no meaning, such as a day that no calendar has. */
export const invalidValue = (what: string, text: string, offset: number): ArchivoltError =>
  fail('badRequest', `Syntax error: Invalid ${what} <${visible(shorten(text))}> at offset ${offset}`)
