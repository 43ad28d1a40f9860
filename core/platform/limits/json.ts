import { fail } from '../errors/index.js'

/** Maximum depth of lists and maps: readers and writers of JSON recurse into each. */
const MAX_DEPTH = 100
/** Maximum of names in all maps together: maps are slow to build and to check. */
const MAX_NAMES = 50_000
/** The same of maps and lists themselves, also of empty ones. */
const MAX_NESTED = 100_000
/** The same of texts, of which there are fewer in what is JSON at all. */
const MAX_TEXTS = 1_200_000
/** Maximum of what commas separate: each is checked by itself. */
const MAX_VALUES = 1_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_MAP = 0x7b
const CLOSE_MAP = 0x7d
const COLON = 0x3a
const COMMA = 0x2c

/** What is too much of a text, looked at before it is parsed, so that a hostile value is never built. */
const excessOf = (text: string): string | undefined => {
  let depth = 0
  let names = 0
  let nested = 0
  let values = 0
  let texts = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      isText = !isText
      if (isText && ++texts > MAX_TEXTS) return `has more than ${MAX_TEXTS} texts`
    } else if (isText) at += code === BACKSLASH ? 1 : 0
    else if (code === OPEN_LIST || code === OPEN_MAP) {
      if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} lists and maps`
      if (++nested > MAX_NESTED) return `has more than ${MAX_NESTED} lists and maps`
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) depth--
    else if (code === COLON && ++names > MAX_NAMES) return `has more than ${MAX_NAMES} names in its maps`
    else if (code === COMMA && ++values > MAX_VALUES) return `has more than ${MAX_VALUES} values`
  }
  return undefined
}

/**
 * Refuses a text of JSON that would take long to build and to check, before it is parsed: also one that stands in a text
 * of another.
 *
 * @param what begins the message: `The request body`, `entries:`.
 * @throws badRequest when it is nested too deep, or has too many parts.
 */
export const requireModestJson = (what: string, text: string): void => {
  const excess = excessOf(text)
  if (excess) throw fail('badRequest', `${what} ${excess}`)
}
