const SMALLEST = -(2n ** 63n)
const LARGEST = 2n ** 63n - 1n
/** More digits than any of them has, so that no text costs anything. */
const MAX_LENGTH = 40

/** Node 20 cannot write them as JSON numbers: there their digits are written as text. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => object }

/**
 * A 64-bit integer by its digits: a number where that is exact, otherwise a text of its digits, which keeps all of
 * them on every way through the product.
 *
 * @returns undefined for anything else.
 */
export const longOf = (text: string): number | string | undefined => {
  if (text.length > MAX_LENGTH || !/^[+-]?\d+$/.test(text)) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number + 0
  const exact = BigInt(text.replace('+', ''))
  return exact >= SMALLEST && exact <= LARGEST ? String(exact) : undefined
}

/** What JSON shows for a stored 64-bit integer: the number with all its digits. */
export const exactLong = <Value>(stored: Value): Value =>
  typeof stored === 'string' && rawJSON ? (rawJSON(stored) as Value) : stored

/** Texts, and outside of them whole numbers of many digits. A text without an end goes on to the last character. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\w.+-])-?[1-9]\d{15,18}(?![\w.+-])/gs
const MANY_DIGITS = /[\s:,[]-?[1-9]\d{15,18}[\s,\]}]/

/** A text of JSON in which the 64-bit integers that no number can hold are texts of their digits. */
export const withLongsAsTexts = (json: string): string => {
  if (!MANY_DIGITS.test(json)) return json
  return json.replace(TOKEN, (token) =>
    !token.startsWith('"') && typeof longOf(token) === 'string' ? `"${token}"` : token,
  )
}
