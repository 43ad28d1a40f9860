import type { ValuePlace } from '../../../core/model/nxql/index.js'
import { isUuid } from '../../../core/model/properties/index.js'
import { MAX_KEYWORD } from '../mapping/index.js'
import { notAnswerable } from './not-answerable.js'

/** More digits than all numbers of 64 bits keep. */
const MAX_DIGITS = 15

const significantDigits = (text: string): number =>
  text
    .replace(/e[^e]*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|(?<!0)0+$/g, '').length

/** A value as the index is asked for it. @throws NotAnswerable for one that it would not compare exactly. */
export const asked = (type: ValuePlace['type'], text: string): string => {
  if (type === 'number' && (significantDigits(text) > MAX_DIGITS || !Number.isFinite(Number(text))))
    throw notAnswerable(`${text.slice(0, 30)} has more digits than the index compares`)
  if ((type === 'date' || type === 'day') && !/^\d{4}-/.test(text))
    throw notAnswerable(`${text} is further away than the index has dates`)
  if (text.length > MAX_KEYWORD) throw notAnswerable('a text is longer than those in the index')
  return text
}

/** Texts that a property may be one of: of an id, ids in the letters of the database, and nothing that is none. */
export const askedEquals = (type: ValuePlace['type'], values: readonly string[]): string[] =>
  type === 'id'
    ? values.filter(isUuid).map((id) => id.toLowerCase())
    : values.map((value) => asked(type, value))

const DAY_MS = 86_400_000

/** @param day `yyyy-MM-dd`. */
export const dayAfter = (day: string): string => {
  const next = new Date(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS).toISOString()
  return asked('day', next)
}

/** The first instant of a day. */
export const startOf = (day: string): string => `${asked('day', day)}T00:00:00.000Z`

const LETTER = /[*?\\]/g

/**
 * Turns an NXQL pattern into one of wildcards: `%` and `_` into `*` and `?`. `\_`, `\%` and `\\` are characters; before
 * another one NXQL drops the backslash, and ignores a final one (reference: nxql-search.md §3).
 */
export const wildcardPattern = (pattern: string): string =>
  pattern.replace(/\\([\\%_])|\\|%|_|[*?]/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(LETTER, String.raw`\$&`)
    if (part === '\\') return ''
    if (part === '%') return '*'
    return part === '_' ? '?' : `\\${part}`
  })
