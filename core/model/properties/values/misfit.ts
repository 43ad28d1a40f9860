import type { Field } from '../../content-model/index.js'

const NOUNS: { readonly [type in Field['type']]: string } = {
  string: 'a text',
  long: 'an integer',
  double: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-05-31 or 2024-05-31T12:00:00Z',
  binary: 'a text in Base64',
  blob: 'a file',
  complex: 'a map',
}

/** Characters of a value that a message repeats. */
const LONGEST = 60

/** Lists and maps may be nested deeper than `JSON.stringify` can go. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a map'
  if (typeof value !== 'string') return String(value)
  const text = JSON.stringify(value.slice(0, LONGEST))
  return value.length + 2 > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text
}

/** What a field holds, and the value that it cannot hold: `holds an integer, not "x"`. */
export const misfit = ({ type, isList }: Pick<Field, 'type' | 'isList'>, value: unknown): string =>
  `holds ${isList ? `a list, each of it ${NOUNS[type]}` : NOUNS[type]}, not ${shown(value)}`
