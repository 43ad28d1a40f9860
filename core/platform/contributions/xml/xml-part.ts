import type { Element } from '@xmldom/xmldom'
import { ELEMENT, isText, placeOf } from './elements.js'
import type { Place } from './report.js'

/** An element as plain data; `text` is what stands directly inside it. */
export type XmlPart = {
  name: string
  attributes: { readonly [name: string]: string }
  children: readonly XmlPart[]
  text: string
  at: Place
}

export const partOf = (element: Element): XmlPart => {
  const nodes = Array.from(element.childNodes)
  return {
    name: element.nodeName,
    attributes: Object.fromEntries(
      Array.from(element.attributes).flatMap(({ name, value }) =>
        name === 'xmlns' || name.startsWith('xmlns:') ? [] : [[name, value]],
      ),
    ),
    children: nodes.flatMap((node) => (node.nodeType === ELEMENT ? [partOf(node as Element)] : [])),
    text: nodes
      .flatMap(({ nodeType, nodeValue }) => (isText(nodeType) ? [nodeValue ?? ''] : []))
      .join('')
      .trim(),
    at: placeOf(element),
  }
}

/** An element that a rewriting puts in the place of others. */
export const newPart = (
  name: string,
  { at }: Pick<XmlPart, 'at'>,
  rest: Partial<Omit<XmlPart, 'name' | 'at'>> = {},
): XmlPart => ({ name, at, attributes: {}, children: [], text: '', ...rest })

/** The part with each child as `rewrite` has it. */
export const withChildren = (
  part: XmlPart,
  rewrite: (child: XmlPart) => XmlPart | readonly XmlPart[],
): XmlPart => ({ ...part, children: part.children.flatMap((child) => rewrite(child)) })
