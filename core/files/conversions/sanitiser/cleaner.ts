/** Takes a document piece by piece and returns what is left of each. Throws an Error for one that cannot be read. */
export type Cleaner = {
  write(text: string): string
  end(): string
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it is written into XML and HTML, in elements and attributes alike. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char]!)

/** Levels of elements; nobody nests deeper in earnest, and parsers take longer for each. */
const MAX_LEVELS = 256

/** Counts how deep a parser is. */
export type Levels = {
  /** @throws Error for a document that is nested too deep. */
  enter(): void
  leave(): void
}

export const createLevels = (): Levels => {
  let depth = 0
  return {
    enter: () => {
      depth++
      if (depth > MAX_LEVELS) throw new Error(`its elements are nested deeper than ${MAX_LEVELS} levels`)
    },
    leave: () => {
      depth--
    },
  }
}
