import { fail } from '../../platform/errors/index.js'
import { checkLength } from './parser/cursor.js'

/** A value for a `?` or `:name` of a query. */
export type NxqlParameter = null | string | number | boolean | Date | readonly NxqlParameter[]

/** Strings and hints, identifiers (whose colons are not parameters), then the marks themselves. */
const PARTS =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|\/\*\+[^*]*\*\/|[A-Za-z][\w:.-]*|(\(\s*)?(\?|:[A-Za-z][\w:]*)(\s*\))?/gs

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
}

/** Quotes a text as an NXQL string literal. */
export const quoteNxql = (text: string): string =>
  `'${text.replace(/[\\'\n\r]/g, (character) => ESCAPES[character] ?? character)}'`

const numberText = (value: number, mark: string): string => {
  if (!Number.isFinite(value)) throw fail('badRequest', `Parameter ${mark}: ${value} is not a number`)
  return String(value)
}

const scalarText = (value: Exclude<NxqlParameter, readonly NxqlParameter[]>, mark: string): string => {
  if (value === null) return "''"
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return numberText(value, mark)
  if (typeof value === 'string') {
    checkLength(value)
    return quoteNxql(value)
  }
  if (Number.isNaN(value.getTime())) throw fail('badRequest', `Parameter ${mark}: not a date`)
  return `TIMESTAMP '${value.toISOString()}'`
}

const isList = (value: NxqlParameter): value is readonly NxqlParameter[] => Array.isArray(value)

const listText = (values: readonly NxqlParameter[], mark: string): string => {
  if (values.length === 0) throw fail('badRequest', `Parameter ${mark}: the list is empty`)
  return values
    .map((value) => {
      if (isList(value)) throw fail('badRequest', `Parameter ${mark}: a list in a list`)
      return scalarText(value, mark)
    })
    .join(', ')
}

/**
 * A query with an empty text for each of its parameters, for a look at whether the rest is NXQL.
 *
 * @returns offsetOf: where in the query an offset of the blanked text stands.
 */
export const blankedParameters = (text: string): { text: string; offsetOf(offset: number): number } => {
  const shifts: { from: number; by: number }[] = []
  let shift = 0
  const blanked = text.replace(PARTS, (part, open: string | undefined, mark: string | undefined, ...rest) => {
    if (mark === undefined) return part
    const [close, at] = rest as [string | undefined, number]
    const filled = `${open ?? ''}''${close ?? ''}`
    const from = at + shift + filled.length
    shift += filled.length - part.length
    shifts.push({ from, by: shift })
    return filled
  })
  return {
    text: blanked,
    offsetOf: (offset) => offset - (shifts.findLast(({ from }) => from <= offset)?.by ?? 0),
  }
}

/**
 * Puts values in the place of `?` (in order) and `:name`, outside strings, as NXQL literals (reference:
 * nxql-search.md §8.1): strings quoted and escaped, numbers bare, booleans as 1 and 0, null as the empty
 * string, dates as TIMESTAMP, lists in parentheses unless the query has them already. Named values that the
 * query does not mention are ignored.
 *
 * @throws badRequest when values are missing or, positional ones, left over.
 */
export const bindParameters = (
  text: string,
  positional: readonly NxqlParameter[],
  named: Readonly<Record<string, NxqlParameter>> = {},
): string => {
  checkLength(text)
  let used = 0
  const take = (mark: string): NxqlParameter => {
    if (mark === '?') {
      used += 1
      const value = positional[used - 1]
      if (value === undefined) throw fail('badRequest', `No value for parameter ${used} of the query`)
      return value
    }
    const name = mark.slice(1)
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    if (value === undefined) throw fail('badRequest', `No value for the named parameter ${name} of the query`)
    return value
  }
  const bound = text.replace(
    PARTS,
    (part, open: string | undefined, mark: string | undefined, close = '') => {
      if (mark === undefined) return part
      const value = take(mark)
      if (!isList(value)) return `${open ?? ''}${scalarText(value, mark)}${close}`
      const list = listText(value, mark)
      const isEnclosed = open !== undefined && close !== ''
      return isEnclosed ? `(${list})` : `${open ?? ''}(${list})${close}`
    },
  )
  if (used < positional.length) {
    throw fail('badRequest', `${positional.length} parameters for a query that takes ${used}`)
  }
  return bound
}

/** The names of the parameters `:name` in a query. */
export const namedParametersIn = (text: string): readonly string[] =>
  [...text.matchAll(PARTS)].flatMap(([, , mark]) => (mark?.startsWith(':') ? [mark.slice(1)] : []))
