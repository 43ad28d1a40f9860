/** Characters of a text that are worked on at once, while others wait. */
export const PIECE = 64 * 1024

/** A text in pieces of about so many characters, never cut between the halves of one. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + PIECE
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1
    yield text.slice(start, end)
  }
}
