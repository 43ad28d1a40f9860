/**
 * Longest word whose near ones may be looked for, characters. The engine makes a machine with states for each of its
 * characters and each different one among them: of a thousand it takes all its memory.
 */
export const MAX_NEAR = 100

/**
 * How words are found that are near to one: all of them. The engine takes the nearest so many by itself, and words of hidden
 * documents take the place of others then, so that answers would show which there are.
 */
export const ALL_NEAR = 'constant_score'

/** Flags of a `simple_query_string`, which cannot lift that limit: everything but words that are near. */
export const WITHOUT_NEAR_WORDS = 'OR|AND|NOT|PREFIX|PHRASE|PRECEDENCE|ESCAPE|WHITESPACE|SLOP'

/** Words of the engine's query language, with what is escaped in them. */
const PIECES = /(?:\\[\s\S]|[^\s\\])+/g

/** Whether a text in the engine's query language asks for words that are near (`word~`) to one that is too long. */
export const hasLongNearWord = (text: string): boolean =>
  text.match(PIECES)?.some((piece) => piece.length > MAX_NEAR && piece.includes('~')) ?? false
