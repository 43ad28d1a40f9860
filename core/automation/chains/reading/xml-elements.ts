import { DOMParser, type Document, type Element, type ErrorHandlerFunction, ParseError } from '@xmldom/xmldom'
import { suggestion } from '../../../platform/contributions/index.js'
import type { ChainParameter } from '../../language/index.js'
import { refusalOfKey, refusalOfText } from './text-rules.js'
import type { Place, Report } from './tree.js'

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

/** The first fault is the author's, the others follow from it. */
export const parseXml = (text: string, report: Report): Element | undefined => {
  let fault: { message: string; at: Place } | undefined
  // The parser repairs what it warns of, and what was meant would be lost without a word.
  const onError = (_level: string, message: string, context: { locator?: unknown }): void => {
    fault ??= { message, at: placeOf(context.locator) }
  }
  const document = parseLeniently(text, onError)
  if (document?.doctype)
    fault = { message: 'a document type declaration (<!DOCTYPE>) is not allowed', at: { line: 1, column: 1 } }
  if (fault) report('', fault.at, `${fault.message}${hintOf(fault.message)}`)
  return fault ? undefined : (document?.documentElement ?? undefined)
}

/** Undefined when the fault, which was passed to `onError`, ended the parsing. */
const parseLeniently = (text: string, onError: ErrorHandlerFunction): Document | undefined => {
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
const isText = (nodeType: number): boolean => nodeType === 3 || nodeType === 4

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

export const textOf = (element: Element, field: string, report: Report): string => {
  const text = (element.textContent ?? '').trim()
  const refusal = refusalOfText(text)
  if (refusal) report(field, placeOf(element), refusal)
  return text
}

export const readBoolean = (
  element: Element,
  name: string,
  { absent, report }: { absent: boolean; report: Report },
): boolean => {
  const value = element.getAttribute(name)
  if (value === null) return absent
  const isKnown = value === 'true' || value === 'false'
  if (!isKnown) report(name, placeOf(element), `expected true or false, found "${value}"`)
  return value === 'true'
}

/** Reports an element that calls itself other than it is deployed. */
export const checkOwnId = (
  element: Element,
  { id, noun, report }: { id: string; noun: string; report: Report },
): void => {
  const ownId = element.getAttribute('id')
  if (ownId !== null && ownId !== id)
    report('id', placeOf(element), `the ${noun} is deployed as "${id}", but calls itself "${ownId}"`)
}

/** An attribute that names something; a placeholder keeps reading going when it is missing. */
export const readName = (element: Element, name: string, report: Report): string => {
  const value = element.getAttribute(name) ?? ''
  if (value === '') report('', placeOf(element), `<${element.nodeName}> needs the attribute ${name}`)
  const refusal = refusalOfKey(value)
  if (refusal) report('', placeOf(element), refusal)
  return value
}

/** Text that stands where elements are expected. */
const strayText = ({ childNodes }: Element) =>
  Array.from(childNodes).find(
    ({ nodeType, nodeValue }) => isText(nodeType) && (nodeValue ?? '').trim() !== '',
  )

export const readParams = (elements: readonly Element[], report: Report): ChainParameter[] => {
  const seen = new Set<string>()
  return elements.map((element) => {
    allowAttributes(element, ['type', 'name', 'required', 'description', 'order'], report)
    const name = readName(element, 'name', report)
    if (seen.has(name))
      report(`params.${name}`, placeOf(element), `the parameter "${name}" is declared twice`)
    seen.add(name)
    const stray = strayText(element)
    if (stray !== undefined)
      report(
        `params.${name}`,
        placeOf(stray),
        `a default of the parameter is written <value>${(stray.nodeValue ?? '').trim()}</value>`,
      )
    const parts = stray === undefined ? childrenOf(element, ['value', 'description'], report) : []
    const field = `params.${name}`
    const nested = named(parts, 'description')[0]
    const description = element.getAttribute('description') ?? (nested && textOf(nested, field, report))
    return {
      name,
      type: element.getAttribute('type') ?? 'string',
      ...(description !== undefined && { description }),
      isRequired: readBoolean(element, 'required', { absent: false, report }),
      values: named(parts, 'value').map((value) => textOf(value, `${field}.values`, report)),
    }
  })
}
