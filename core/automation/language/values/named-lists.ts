import { fail } from '../../../platform/errors/index.js'

/** Documents that one text, or one list of a call, names: each costs a look-up. */
export const MAX_NAMED_DOCUMENTS = 1_000
/** Documents that a list of references names, which a chain may have computed. */
export const MAX_LISTED_DOCUMENTS = 10_000
/** Texts of one list: what takes them may look for each in what is stored. */
export const MAX_LISTED_TEXTS = 100_000

type Limited = { name: string; limit: number }

/**
 * The trimmed items of a text with commas between them. A text with too many commas is not split.
 *
 * @throws tooLarge naming the field.
 */
export const commaItems = (text: string, { name, limit }: Limited): string[] => {
  const items = text.split(',', limit + 1)
  if (items.length > limit) throw fail('tooLarge', `${name}: has more than ${limit} entries`)
  return items.map((item) => item.trim())
}

/** `commaItems` without empty ones. */
export const commaList = (text: string, limited: Limited): string[] =>
  commaItems(text, limited).filter((item) => item !== '')
