/** Characters of the engine's query language, with what is escaped. */
const CHARACTERS = /\\[\s\S]|\//g

/**
 * How many regular expressions a text in the engine's query language has at most. The engine goes through the words of each
 * field that is asked for each of them.
 */
export const regularExpressionsIn = (text: string): number =>
  Math.ceil((text.match(CHARACTERS)?.filter((found) => found === '/').length ?? 0) / 2)
