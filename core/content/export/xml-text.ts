import { fail } from '../../platform/errors/index.js'
import { giveTurn, isTurnOver, MAX_CHARACTERS, PIECE, piecesOf } from '../../platform/limits/index.js'

/** XML, a piece after another: a document may have many millions of characters, and others wait meanwhile. */
export type Xml = Iterable<string>

/** What an XML document cannot hold at all, even escaped. */
const UNWRITABLE = /[^\t\n\r\u0020-\ufffd]/g

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const escaped = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>\r]/g, (character) => ESCAPES[character]!)

const attributeOf = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!)

function* textOf(text: string): Generator<string> {
  for (const piece of piecesOf(text)) yield escaped(piece)
}

type Attributes = { readonly [name: string]: string | null | undefined }

/** An element with its content; one without any is closed at once. */
export function* element(name: string, content: Xml = [], attributes: Attributes = {}): Generator<string> {
  let tag = name
  for (const [attribute, value] of Object.entries(attributes))
    if (value) tag += ` ${attribute}="${attributeOf(value)}"`
  let isEmpty = true
  for (const piece of content) {
    if (piece === '') continue
    if (isEmpty) yield `<${tag}>`
    isEmpty = false
    yield piece
  }
  yield isEmpty ? `<${tag}/>` : `</${name}>`
}

/** An element with a text; of a short one it is one piece, as lists have very many of them. */
export const textElement = (name: string, text: string | null | undefined): Xml => {
  if (!text) return [`<${name}/>`]
  if (text.length > PIECE) return element(name, textOf(text))
  const content = escaped(text)
  return [content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`]
}

/**
 * XML as bytes in UTF-8, in turns with other work of the process.
 *
 * @throws tooLarge before more than 64 MiB of it are in memory.
 */
export const xmlBytes = async (xml: Xml): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let length = 0
  let pending = ''
  const flush = (): void => {
    const bytes = Buffer.from(pending)
    pending = ''
    length += bytes.length
    if (length > MAX_CHARACTERS)
      throw fail(
        'tooLarge',
        `The XML of the document would have more than ${MAX_CHARACTERS} bytes: fetch the document as JSON`,
      )
    parts.push(bytes)
  }
  for (const piece of xml) {
    pending += piece
    if (pending.length < PIECE) continue
    flush()
    if (isTurnOver()) await giveTurn()
  }
  flush()
  return Buffer.concat(parts)
}
