/** Takes a document piece by piece and returns what is left of each. Throws an Error for one that cannot be read. */
export type Cleaner = {
  write(text: string): string
  end(): string
}

/** Characters of one attribute's value, text or comment, read or written: embedded pictures need some millions. */
export const MAX_PART = 8 * 1024 * 1024

/** Characters that a parser is given at once, so that what is too long is noticed long before its end. */
const PIECE = 64 * 1024

/** A text in pieces, in order. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}

/** @throws Error for a part of more characters than it may have. */
export const requireShort = (length: number, longest = MAX_PART): void => {
  if (length > longest)
    throw new Error(`one of its attributes, texts or comments has more than ${longest} characters`)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that are looked at one by one before they are replaced: no text below is written too long. */
const LONG = MAX_PART / 6

/** How many characters `escaped` writes. */
const writtenLength = (text: string): number => {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x26) length += 4
    else if (code === 0x3c || code === 0x3e) length += 3
    else if (code === 0x22) length += 5
  }
  return length
}

/**
 * Text as it is written into XML and HTML, in elements and attributes alike.
 *
 * @throws Error for what is written with too many characters.
 */
export const escaped = (text: string): string => {
  if (text.length > LONG) requireShort(writtenLength(text))
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char]!)
}

/** Levels of elements; nobody nests deeper in earnest, and parsers take longer for each. */
const MAX_LEVELS = 256

/** Attributes of one element: a drawing has some dozen, and a parser keeps them all until the tag ends. */
const MAX_ATTRIBUTES = 1_000

/** Counts how deep a parser is, how much of a tag it has read, and how long a part is. */
export type Levels = {
  /** @throws Error for a document that is nested too deep. */
  enter(): void
  leave(): void
  /** Begins a tag. */
  begin(): void
  /** @throws Error for a tag with too many attributes, and a value that is too long. */
  attribute(value: string): void
  /** A text, a comment or the like has ended. @throws Error for one that is too long. */
  part(text: string): void
  /** So many characters were read, with all that has ended in them. @throws Error for a part that has not, and is too long. */
  read(characters: number): void
}

/** @param longest characters of one text or comment. */
export const createLevels = (longest = MAX_PART): Levels => {
  let depth = 0
  let attributes = 0
  /** Characters since something has ended, up to a piece more. */
  let pending = 0
  const ended = (length = 0): void => {
    pending = 0
    requireShort(length, longest)
  }
  return {
    begin: () => {
      attributes = 0
      ended()
    },
    attribute: ({ length }) => {
      ended()
      requireShort(length)
      attributes++
      if (attributes > MAX_ATTRIBUTES)
        throw new Error(`one of its elements has more than ${MAX_ATTRIBUTES} attributes`)
    },
    enter: () => {
      ended()
      depth++
      if (depth > MAX_LEVELS) throw new Error(`its elements are nested deeper than ${MAX_LEVELS} levels`)
    },
    leave: () => {
      ended()
      depth--
    },
    part: ({ length }) => ended(length),
    read: (characters) => {
      pending += characters
      requireShort(pending, longest)
    },
  }
}
