import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom'

/** An element to be written: with others inside, or with a text. */
export type XmlNode = {
  name: string
  attributes?: { readonly [name: string]: string }
  content?: string | readonly XmlNode[]
}

const fill = (document: Document, element: Element, { attributes = {}, content = [] }: XmlNode): void => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (typeof content === 'string') {
    element.appendChild(document.createTextNode(content))
    return
  }
  for (const node of content) {
    const inner = document.createElement(node.name)
    fill(document, inner, node)
    element.appendChild(inner)
  }
}

/** A document of one element. */
export const writeXmlNode = (node: XmlNode): string => {
  const document = new DOMImplementation().createDocument(null, node.name)
  const root = document.documentElement
  if (!root) throw new Error('A new XML document has no root element')
  fill(document, root, node)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}
