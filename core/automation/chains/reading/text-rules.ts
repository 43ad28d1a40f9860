/** The database can carry neither NUL nor halves of characters. */
const isUnstorable = (text: string): boolean => text.includes('\0') || /\p{Cs}/u.test(text)

/** Why a text cannot be part of a chain; undefined when it can. */
export const refusalOfText = (text: string): string | undefined =>
  isUnstorable(text) ? 'contains a character that cannot be stored (NUL or half a surrogate pair)' : undefined

/** The same of whatever JSON: its keys and texts themselves, not how they are escaped. */
export const refusalOfValue = (value: unknown): string | undefined => {
  if (typeof value === 'string') return refusalOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const refusal = refusalOfText(key) ?? refusalOfValue(inner)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Why a key cannot be part of a chain; undefined when it can. */
export const refusalOfKey = (key: string): string | undefined =>
  key === '__proto__' ? 'the name __proto__ is not allowed' : refusalOfText(key)
