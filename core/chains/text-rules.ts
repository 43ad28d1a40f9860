/** The database can carry neither NUL nor halves of characters. */
const isUnstorable = (text: string): boolean => text.includes('\0') || /\p{Cs}/u.test(text)

/** Why a text cannot be part of a chain; undefined when it can. */
export const refusalOfText = (text: string): string | undefined =>
  isUnstorable(text) ? 'contains a character that cannot be stored (NUL or half a surrogate pair)' : undefined

/** Why a key cannot be part of a chain; undefined when it can. */
export const refusalOfKey = (key: string): string | undefined =>
  key === '__proto__' ? 'the name __proto__ is not allowed' : refusalOfText(key)
