import type { Binder } from '../binder.js'
import { d } from '../places/names.js'

/** The title as `jsonScalar` writes it. */
export const TITLE = `(${d.properties}->>'dc:title')`

/** Titles may be longer than a row of an index, so the index `documents_title` holds their beginnings. */
const LENGTH = 200
export const TITLE_BEGINNING = `left(${d.properties} ->> 'dc:title', ${LENGTH}) COLLATE "C"`

/** What a pattern of LIKE begins with, as characters. */
const literalPrefix = (pattern: string): string[] => {
  const prefix: string[] = []
  let isEscaped = false
  for (const character of pattern) {
    if (!isEscaped && (character === '%' || character === '_')) break
    isEscaped = !isEscaped && character === '\\'
    if (!isEscaped) prefix.push(character)
    if (prefix.length === LENGTH) break
  }
  return prefix
}

const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000
const LAST = 0x10ffff

/** The first text, in the order of bytes, behind all that begin with the prefix; undefined when there is none. */
const behind = (prefix: readonly string[]): string | undefined => {
  const kept = [...prefix]
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1
    if (next > LAST) continue
    return kept.join('') + String.fromCodePoint(next === FIRST_SURROGATE ? AFTER_SURROGATES : next)
  }
  return undefined
}

/** A LIKE on the title, with the range of the index that it must lie in. */
export const withTitlePrefix = (like: string, pattern: string, binder: Binder): string => {
  const prefix = literalPrefix(pattern)
  const end = behind(prefix)
  if (end === undefined) return like
  const from = binder.bind(prefix.join(''), 'text')
  return `(${TITLE_BEGINNING} >= ${from} AND ${TITLE_BEGINNING} < ${binder.bind(end, 'text')} AND ${like})`
}
