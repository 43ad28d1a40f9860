/**
 * Longest word whose near ones may be looked for, characters. The engine makes a machine with states for each of its
 * characters and each different one among them: of a thousand it takes all its memory.
 */
export const MAX_NEAR = 100

/** Words of the engine's query language, with what is escaped in them. */
const PIECES = /(?:\\[\s\S]|[^\s\\])+/g

/** Whether a text in the engine's query language asks for words that are near (`word~`) to one that is too long. */
export const hasLongNearWord = (text: string): boolean =>
  text.match(PIECES)?.some((piece) => piece.length > MAX_NEAR && piece.includes('~')) ?? false
