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

/** Attributes of one element: a drawing has some dozen, and a parser keeps them all until the tag ends. */
const MAX_ATTRIBUTES = 1_000

/** Counts how deep a parser is, and how much of a tag it has read. */
export type Levels = {
  /** @throws Error for a document that is nested too deep. */
  enter(): void
  leave(): void
  /** Begins a tag. */
  begin(): void
  /** @throws Error for a tag with too many attributes. */
  attribute(): void
}

export const createLevels = (): Levels => {
  let depth = 0
  let attributes = 0
  return {
    begin: () => {
      attributes = 0
    },
    attribute: () => {
      attributes++
      if (attributes > MAX_ATTRIBUTES)
        throw new Error(`one of its elements has more than ${MAX_ATTRIBUTES} attributes`)
    },
    enter: () => {
      depth++
      if (depth > MAX_LEVELS) throw new Error(`its elements are nested deeper than ${MAX_LEVELS} levels`)
    },
    leave: () => {
      depth--
    },
  }
}
