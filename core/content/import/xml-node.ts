import type { Element } from '@xmldom/xmldom'
import { createReport, ELEMENT, isText, parseXml } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { requireModestXml } from './xml-limits.js'

/** An element as plain data. `text` is what stands directly inside it, to the blank: it may be a value. */
export type XmlNode = {
  name: string
  attributes: { readonly [name: string]: string }
  children: readonly XmlNode[]
  text: string
}

const nodeOf = (element: Element): XmlNode => {
  const children: XmlNode[] = []
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === ELEMENT) children.push(nodeOf(node as Element))
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
 * @param count receives how many tags and attributes it has, before it is parsed.
 * @throws badRequest naming the file and the line, and for elements that no document has; tooLarge for too many of them.
 */
export const readXml = (
  source: string,
  text: string,
  count: (parts: number) => void = () => undefined,
): XmlNode => {
  count(requireModestXml(source, text))
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  const [problem] = problems
  if (!root)
    throw fail('badRequest', `${source}: line ${problem?.line ?? 1}: ${problem?.message ?? 'no XML element'}`)
  return nodeOf(root)
}

/** The name behind its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const childOf = ({ children }: XmlNode, name: string): XmlNode | undefined =>
  children.find((child) => localName(child.name) === name)

/** Trimmed text of a child; undefined when it is absent or empty. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  (node && childOf(node, name)?.text.trim()) || undefined
