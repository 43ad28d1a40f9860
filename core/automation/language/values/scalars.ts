/** A whole number that is written as text, with or without a sign; undefined for anything else, or a larger one than JSON keeps. */
export const wholeNumber = (text: string): number | undefined => {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** A number that is written as text; undefined for anything else. */
export const numberOf = (text: string): number | undefined => {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** `true` or `false` in any case; undefined for anything else. */
export const truthValue = (text: string): boolean | undefined => {
  const lower = text.trim().toLowerCase()
  if (lower === 'true') return true
  return lower === 'false' ? false : undefined
}
