import { SaxesParser } from 'saxes'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import { createXmlLimits } from './xml-limits.js'

/** An element as plain data. `text` is what stands directly inside it, to the blank: it may be a value. */
export type XmlNode = {
  name: string
  attributes: { readonly [name: string]: string }
  children: readonly XmlNode[]
  text: string
}

type Growing = XmlNode & { children: XmlNode[] }

/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD'

/** Whatever version a text says it is of: 1.1 adds little but control characters. */
const VERSION = { defaultXMLVersion: '1.0', forceXMLVersion: true } as const

/** Builds the tree of a text while it is parsed. */
const createTree = (source: string, parser: SaxesParser<{ xmlns: false; position: false }>) => {
  const limits = createXmlLimits(source)
  const open: Growing[] = []
  let root: XmlNode | undefined

  const append = (text: string): void => {
    const node = open.at(-1)
    if (node) node.text += text
  }
  parser.on('opentagstart', limits.tag)
  parser.on('attribute', limits.attribute)
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    const node: Growing = { name, attributes, children: [], text: '' }
    root ??= node
    open.at(-1)?.children.push(node)
    open.push(node)
    if (!isSelfClosing) limits.enter(open.length)
  })
  parser.on('closetag', ({ isSelfClosing }) => {
    if (!isSelfClosing) limits.part()
    open.pop()
  })
  parser.on('text', append)
  parser.on('cdata', (text) => {
    limits.part()
    append(text)
  })
  parser.on('comment', limits.part)
  parser.on('processinginstruction', limits.part)
  parser.on('doctype', () => {
    throw new Error('a document type declaration (<!DOCTYPE>) is not allowed')
  })
  return { root: () => root, parts: limits.parts }
}

/**
 * Reads XML without a document type declaration, so without entities but the predefined ones. The first fault ends it:
 * nothing is read twice, and nothing is repaired.
 *
 * @param source the file, for messages.
 * @param count receives how many tags and attributes it has.
 * @throws badRequest naming the file and the line, and for elements that no document has; tooLarge for too many of them.
 */
export const readXml = (
  source: string,
  text: string,
  count: (parts: number) => void = () => undefined,
): XmlNode => {
  const refused = (message: string, cause?: unknown) =>
    fail('badRequest', `${source}: line ${parser.line}: ${message}`, { cause })
  const parser = new SaxesParser({ xmlns: false, position: false, ...VERSION })
  const tree = createTree(source, parser)
  if (text.includes(REPLACEMENT)) throw refused('it is not written in UTF-8')
  try {
    parser.write(text).close()
  } catch (error) {
    throw isArchivoltError(error) ? error : refused((error as Error).message, error)
  }
  const root = tree.root()
  if (!root) throw refused('no XML element')
  count(tree.parts())
  return root
}

/** The name behind its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const childOf = ({ children }: XmlNode, name: string): XmlNode | undefined =>
  children.find((child) => localName(child.name) === name)

/** Trimmed text of a child; undefined when it is absent or empty. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  (node && childOf(node, name)?.text.trim()) || undefined
