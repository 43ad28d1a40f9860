/** Characters of the values of one answer, or of one list of documents: the bodies of four requests of the largest size. */
export const MAX_CHARACTERS = 64 * 1024 * 1024

/** Of shorter texts nobody counts what JSON makes longer. */
const SHORT = 1_000

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Of longer texts one character of each so many is looked at, wherever it is: a list of them would take a tenth of a second. */
const LONG = 16 * 1024
const STRIDE = 16

/** JSON writes a control character as six, a quote and a backslash as two. */
const addedFor = (code: number): number => {
  if (code < SPACE) return 5
  return code === QUOTE || code === BACKSLASH ? 1 : 0
}

/** By places that nobody who writes the text can know (xorshift of 32 bits, begun at random). */
const addedAbout = (text: string): number => {
  let added = 0
  let state = 1 + Math.floor(Math.random() * 0x7fffffff)
  for (let at = 0; at + STRIDE <= text.length; at += STRIDE) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    added += addedFor(text.charCodeAt(at + (state & (STRIDE - 1))))
  }
  return added * STRIDE
}

const weightOfText = (text: string): number => {
  if (text.length < SHORT) return text.length
  if (text.length > LONG) return text.length + addedAbout(text)
  let weight = text.length
  for (let at = 0; at < text.length; at++) weight += addedFor(text.charCodeAt(at))
  return weight
}

/** About how many characters a value has in JSON. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return weightOfText(value)
  if (typeof value !== 'object' || value === null) return 8
  let weight = 8
  // By names, each index of a list would become a text first: four times as slow.
  if (Array.isArray(value)) {
    for (const item of value) weight += 1 + weightOf(item)
    return weight
  }
  for (const name in value) weight += name.length + weightOf((value as { [name: string]: unknown })[name])
  return weight
}
