import { francAll } from 'franc-min'

/** Characters of a text by which its language is detected, and below which it is not. */
const LOOKED_AT = 4_000
const LEAST = 60

/** How much less likely the next language must be, of a likelihood from 0 to 1. */
const LEAD = 0.02

/**
 * The language that a text is written in, by its letters: a code such as `en`, of ISO 639-1 where that has one, else
 * of ISO 639-3. Undefined for a short text, and where two languages are about as likely.
 */
export const languageOf = (text: string): string | undefined => {
  const sample = text.slice(0, LOOKED_AT).trim()
  if (sample.length < LEAST) return undefined
  const [first, second] = francAll(sample, { minLength: LEAST })
  if (!first || first[0] === 'und' || first[1] - (second?.[1] ?? 0) < LEAD) return undefined
  return Intl.getCanonicalLocales(first[0])[0]
}
