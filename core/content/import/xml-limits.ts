import { fail } from '../../platform/errors/index.js'

/** Tags and attributes of one document together: a second of parsing, in which the process does nothing else. */
const MAX_PARTS = 200_000

/** Elements inside of each other: values of schemas nest a few levels. */
const MAX_DEPTH = 64

/** Attributes of one element. */
const MAX_ATTRIBUTES = 100

/** What is no element, by how it begins, and how it ends. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** The place behind what begins at a place and ends with a text; the end of all where it does not. */
const behind = (text: string, from: number, end: string): number => {
  const at = text.indexOf(end, from)
  return at < 0 ? text.length : at + end.length
}

/** The end of a tag, and the attributes in it: their values may hold any character. */
const readTag = (text: string, from: number): { end: number; attributes: number } => {
  let attributes = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '>') return { end: at, attributes }
    if (character === '=') attributes++
    if (character === '"' || character === "'") at = behind(text, at + 1, character) - 1
  }
  return { end: text.length, attributes }
}

/**
 * Looks at a text of XML before it is parsed: the parser takes the product of depth and attributes, and stops for nothing.
 *
 * @param source the file, for messages.
 * @returns its tags and attributes.
 * @throws badRequest for elements that are nested too deep, or have too many attributes; tooLarge for too many of them.
 */
export const requireModestXml = (source: string, text: string): number => {
  let depth = 0
  let parts = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (++parts > MAX_PARTS)
      throw fail('tooLarge', `${source} has more than ${MAX_PARTS} tags and attributes`)
    const other = OTHERS.find(([begin]) => text.startsWith(begin, at))
    if (other) {
      at = behind(text, at + other[0].length, other[1])
      continue
    }
    const { end, attributes } = readTag(text, at + 1)
    if (attributes > MAX_ATTRIBUTES)
      throw fail('badRequest', `${source}: an element has more than ${MAX_ATTRIBUTES} attributes`)
    parts += attributes
    if (text[at + 1] === '/') depth--
    else if (text[end - 1] !== '/' && ++depth > MAX_DEPTH)
      throw fail('badRequest', `${source}: elements stand in each other more than ${MAX_DEPTH} levels deep`)
    at = end
  }
  return parts
}
