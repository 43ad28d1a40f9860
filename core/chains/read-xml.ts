import { DOMParser, type Document, type Element, type ErrorHandlerFunction, ParseError } from '@xmldom/xmldom'
import type { ChainDefinition, ChainParameter, ChainStep } from '../automation/index.js'
import { suggestion } from '../contributions/index.js'
import { isDynamic } from './literals.js'
import { placedStep } from './read-view.js'
import { refusalOfKey, refusalOfText } from './text-rules.js'
import type { Place, Report } from './tree.js'
import type { ParsedChain } from './types.js'

/**
 * A chain from the XML form of automation.md §8. Reports what is wrong; returns undefined when the text is
 * not XML. A document type declaration is refused, so there are no entities but the predefined ones.
 */
export const readXml = (id: string, text: string, report: Report): ParsedChain | undefined => {
  const root = parse(text, report)
  if (!root) return undefined
  if (root.nodeName !== 'chain') {
    report('', placeOf(root), `expected the element <chain>, found <${root.nodeName}>`)
    return undefined
  }
  allowAttributes(root, ['id', 'replace'], report)
  const ownId = root.getAttribute('id')
  if (ownId !== null && ownId !== id)
    report('id', placeOf(root), `the chain is deployed as "${id}", but calls itself "${ownId}"`)
  const parts = childrenOf(root, ['description', 'aliases', 'param', 'operation'], report)
  const aliases = named(parts, 'aliases').flatMap((list) => childrenOf(list, ['alias'], report))
  const steps = named(parts, 'operation').map((element, index) =>
    readOperation(element, `operations[${index}]`, report),
  )
  const description = named(parts, 'description')[0]
  const chain: ChainDefinition = {
    id,
    ...(description && { description: textOf(description, 'description', report) }),
    aliases: aliases.map((alias, index) => textOf(alias, `aliases[${index}]`, report)),
    params: readParams(named(parts, 'param'), report),
    steps: steps.map(({ step }) => step),
  }
  const places = { id: placeOf(root), aliases: aliases.map(placeOf), steps: steps.map((step) => step.places) }
  return { chain, places, mayReplace: readBoolean(root, 'replace', { absent: true, report }) }
}

/** The first fault is the author's, the others follow from it. */
const parse = (text: string, report: Report): Element | undefined => {
  let fault: { message: string; at: Place } | undefined
  // The parser repairs what it warns of, and what was meant would be lost without a word.
  const onError = (_level: string, message: string, context: { locator?: unknown }): void => {
    fault ??= { message, at: placeOf(context.locator) }
  }
  const document = parseLeniently(text, onError)
  if (document?.doctype)
    fault = { message: 'a document type declaration (<!DOCTYPE>) is not allowed', at: { line: 1, column: 1 } }
  if (fault) report('', fault.at, fault.message)
  return fault ? undefined : (document?.documentElement ?? undefined)
}

/** Undefined when the fault, which `onError` was told, ended the parsing. */
const parseLeniently = (text: string, onError: ErrorHandlerFunction): Document | undefined => {
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml')
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return undefined
  }
}

/** Elements know where they stand; the library's types do not say so. */
const placeOf = (node: unknown): Place => {
  const { lineNumber, columnNumber } = (node ?? {}) as { lineNumber?: number; columnNumber?: number }
  return { line: Math.max(lineNumber ?? 1, 1), column: Math.max(columnNumber ?? 1, 1) }
}

const named = (elements: readonly Element[], name: string): readonly Element[] =>
  elements.filter((element) => element.nodeName === name)

const childrenOf = (parent: Element, names: readonly string[], report: Report): readonly Element[] => {
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

const ELEMENT = 1
const isText = (nodeType: number): boolean => nodeType === 3 || nodeType === 4

const allowAttributes = (element: Element, names: readonly string[], report: Report): void => {
  for (const { name } of Array.from(element.attributes)) {
    if (!names.includes(name))
      report(
        '',
        placeOf(element),
        `unknown attribute "${name}" of <${element.nodeName}>${suggestion(name, names)}`,
      )
  }
}

const textOf = (element: Element, field: string, report: Report): string => {
  const text = (element.textContent ?? '').trim()
  const refusal = refusalOfText(text)
  if (refusal) report(field, placeOf(element), refusal)
  return text
}

const readBoolean = (
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

/** An attribute that names something; a placeholder keeps reading going when it is missing. */
const readName = (element: Element, name: string, report: Report): string => {
  const value = element.getAttribute(name) ?? ''
  if (value === '') report('', placeOf(element), `<${element.nodeName}> needs the attribute ${name}`)
  const refusal = refusalOfKey(value)
  if (refusal) report('', placeOf(element), refusal)
  return value
}

const readParams = (elements: readonly Element[], report: Report): ChainParameter[] => {
  const seen = new Set<string>()
  return elements.map((element) => {
    allowAttributes(element, ['type', 'name', 'required', 'description', 'order'], report)
    const name = readName(element, 'name', report)
    if (seen.has(name))
      report(`params.${name}`, placeOf(element), `the parameter "${name}" is declared twice`)
    seen.add(name)
    const parts = childrenOf(element, ['value', 'description'], report)
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

const readOperation = (element: Element, field: string, report: Report) => {
  allowAttributes(element, ['id'], report)
  const seen = new Set<string>()
  const params = childrenOf(element, ['param'], report).map((param) => {
    allowAttributes(param, ['type', 'name'], report)
    const name = readName(param, 'name', report)
    if (seen.has(name)) report(`${field}.${name}`, placeOf(param), `the parameter "${name}" is given twice`)
    seen.add(name)
    const at = placeOf(param)
    return { name, value: readValue(param, `${field}.${name}`, report), places: { name: at, value: at } }
  })
  return placedStep({ operation: readName(element, 'id', report), at: placeOf(element), field, params })
}

/** A value by its declared type; a text that does not fit stays a text, for the check of types to refuse. */
const readValue = (param: Element, field: string, report: Report): ChainStep['params'][string] => {
  const hasBlocks = Array.from(param.childNodes).some((node) => node.nodeType === ELEMENT)
  if (hasBlocks) {
    const blocks = childrenOf(param, ['property'], report).map((block) => {
      allowAttributes(block, ['key'], report)
      return [readName(block, 'key', report), textOf(block, field, report)] as const
    })
    return Object.fromEntries(blocks)
  }
  const text = textOf(param, field, report)
  const convert = CONVERSIONS.get(param.getAttribute('type') ?? 'string')
  return convert && !isDynamic(text) ? convert(text) : text
}

const exactNumber = (text: string): number | string => {
  const isExact = /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))
  return isExact ? Number(text) : text
}

type Conversion = (text: string) => string | number | boolean

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['integer', exactNumber],
  ['long', exactNumber],
  ['float', (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text)],
  ['boolean', (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text)],
])
