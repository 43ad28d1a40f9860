import type { Element } from '@xmldom/xmldom'
import { createReport, ELEMENT, isText, parseXml } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'

/** An element as plain data. `text` is what stands directly inside it, to the blank: it may be a value. */
export type XmlNode = {
  name: string
  attributes: { readonly [name: string]: string }
  children: readonly XmlNode[]
  text: string
}

/** Elements inside of each other: values of schemas nest a few levels. */
const MAX_DEPTH = 64

/** Tags of one document: a second of parsing, in which the process does nothing else. */
const MAX_TAGS = 200_000

const requireFewTags = (source: string, text: string): void => {
  let tags = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) tags++
  if (tags > MAX_TAGS) throw fail('tooLarge', `${source} has ${tags} tags, of ${MAX_TAGS} at most`)
}

const nodeOf = (element: Element, depth: number): XmlNode => {
  if (depth > MAX_DEPTH)
    throw fail('badRequest', `Elements stand in each other more than ${MAX_DEPTH} levels deep`)
  const children: XmlNode[] = []
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === ELEMENT) children.push(nodeOf(node as Element, depth + 1))
    else if (isText(node.nodeType)) text += node.nodeValue ?? ''
  }
  const attributes = Object.fromEntries(
    Array.from(element.attributes).map(({ name, value }) => [name, value]),
  )
  return { name: element.nodeName, attributes, children, text }
}

/**
 * Reads XML without a document type declaration, so without entities but the predefined ones.
 *
 * @param source the file, for messages.
 * @throws badRequest naming the file and the line, tooLarge for more tags than one document has.
 */
export const readXml = (source: string, text: string): XmlNode => {
  requireFewTags(source, text)
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  const [problem] = problems
  if (!root)
    throw fail('badRequest', `${source}: line ${problem?.line ?? 1}: ${problem?.message ?? 'no XML element'}`)
  return nodeOf(root, 1)
}

/** The name behind its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const childOf = ({ children }: XmlNode, name: string): XmlNode | undefined =>
  children.find((child) => localName(child.name) === name)

/** Trimmed text of a child; undefined when it is absent or empty. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  (node && childOf(node, name)?.text.trim()) || undefined
