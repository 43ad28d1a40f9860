import { DOMParser, type Document, type Element, type ErrorHandlerFunction, ParseError } from '@xmldom/xmldom'
import { suggestion } from '../yaml/did-you-mean.js'
import type { Place, Report } from './report.js'

/*
 * Elements of what is deployed as XML. A document type declaration is refused, so there are no entities but the
 * predefined ones.
 */

/** What helps where the parser's words do not. */
const hintOf = (message: string): string => {
  if (/invalid tagName|unclosed xml attribute|attribute value/i.test(message))
    return '; < in a text is written &lt;, or the text stands in <![CDATA[…]]>'
  return /tag mismatch|unclosed/i.test(message) ? '; is an element not closed?' : ''
}

/**
 * The first fault is the author's, the others would follow from it: the parser is given up there. It would repair what it
 * warns of, and what was meant would be lost; and what it reads behind a fault takes the longer the more of them there are.
 */
export const parseXml = (text: string, report: Report): Element | undefined => {
  let fault: { message: string; at: Place } | undefined
  const document = parseToFault(text, (_level, message, { locator, doc }) => {
    fault = doc?.doctype ? DOCTYPE : { message, at: placeOf(locator) }
    throw new Error(message)
  })
  if (document?.doctype) fault = DOCTYPE
  if (fault) report('', fault.at, `${fault.message}${hintOf(fault.message)}`)
  return fault ? undefined : (document?.documentElement ?? undefined)
}

const DOCTYPE = {
  message: 'a document type declaration (<!DOCTYPE>) is not allowed',
  at: { line: 1, column: 1 },
}

/** Undefined when a fault, which was passed to `onError`, ended the parsing. */
const parseToFault = (text: string, onError: ErrorHandlerFunction): Document | undefined => {
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml')
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return undefined
  }
}

/** Elements know where they stand; the library's types do not say so. */
export const placeOf = (node: unknown): Place => {
  const { lineNumber, columnNumber } = (node ?? {}) as { lineNumber?: number; columnNumber?: number }
  return { line: Math.max(lineNumber ?? 1, 1), column: Math.max(columnNumber ?? 1, 1) }
}

export const named = (elements: readonly Element[], name: string): readonly Element[] =>
  elements.filter((element) => element.nodeName === name)

export const childrenOf = (parent: Element, names: readonly string[], report: Report): readonly Element[] => {
  const elements: Element[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === ELEMENT) elements.push(node as Element)
    else if (isText(node.nodeType) && (node.nodeValue ?? '').trim() !== '')
      report('', placeOf(node), `unexpected text inside <${parent.nodeName}>`)
  }
  for (const element of elements) {
    if (!names.includes(element.nodeName)) {
      const hint = suggestion(element.nodeName, names)
      report(
        '',
        placeOf(element),
        `unexpected element <${element.nodeName}> inside <${parent.nodeName}>${hint}`,
      )
    }
  }
  return elements
}

export const ELEMENT = 1
export const isText = (nodeType: number): boolean => nodeType === 3 || nodeType === 4

export const allowAttributes = (element: Element, names: readonly string[], report: Report): void => {
  for (const { name } of Array.from(element.attributes)) {
    if (!names.includes(name))
      report(
        '',
        placeOf(element),
        `unknown attribute "${name}" of <${element.nodeName}>${suggestion(name, names) || `; known are ${names.join(', ')}`}`,
      )
  }
}
