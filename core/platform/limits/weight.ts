/** Characters of the values of one answer, or of one list of documents: the bodies of four requests of the largest size. */
export const MAX_CHARACTERS = 64 * 1024 * 1024

/** Of shorter texts nobody counts what JSON makes longer. */
const SHORT = 1_000

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** JSON writes a control character as six, a quote and a backslash as two. */
const weightOfText = (text: string): number => {
  if (text.length < SHORT) return text.length
  let weight = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE) weight += 5
    else if (code === QUOTE || code === BACKSLASH) weight += 1
  }
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
