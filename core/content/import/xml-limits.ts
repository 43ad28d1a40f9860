import { fail } from '../../platform/errors/index.js'

/** Tags, attributes and the like of one document together: they are held, and looked at, while nothing else is done. */
const MAX_PARTS = 200_000

/** Elements inside of each other: values of schemas nest a few levels. */
const MAX_DEPTH = 64

/** Attributes of one element. */
const MAX_ATTRIBUTES = 100

/** Counts what a parser of XML meets, as it meets it. What it throws ends the parsing. */
export type XmlLimits = {
  /** Anything that begins with `<`. @throws tooLarge. */
  part(): void
  /** The start of a tag, which is a part. @throws tooLarge. */
  tag(): void
  /** An attribute of the tag, which is a part. @throws tooLarge; badRequest for too many in one tag. */
  attribute(): void
  /** The end of the tag of an element with content, at a depth, from 1. @throws badRequest for one that is too deep. */
  enter(depth: number): void
  /** How many parts there were. */
  parts(): number
}

/** @param source the file, for messages. */
export const createXmlLimits = (source: string): XmlLimits => {
  let parts = 0
  let attributes = 0
  const part = (): void => {
    if (++parts > MAX_PARTS)
      throw fail('tooLarge', `${source} has more than ${MAX_PARTS} tags and attributes`)
  }
  return {
    part,
    tag: () => {
      attributes = 0
      part()
    },
    attribute: () => {
      part()
      if (++attributes > MAX_ATTRIBUTES)
        throw fail('badRequest', `${source}: an element has more than ${MAX_ATTRIBUTES} attributes`)
    },
    enter: (depth) => {
      if (depth > MAX_DEPTH)
        throw fail('badRequest', `${source}: elements stand in each other more than ${MAX_DEPTH} levels deep`)
    },
    parts: () => parts,
  }
}
