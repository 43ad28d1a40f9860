import type { Element } from '@xmldom/xmldom'
import {
  allowAttributes,
  childrenOf,
  ELEMENT,
  extended,
  named,
  parseXml,
  placeOf,
  type Report,
} from '../../../platform/contributions/index.js'
import { type ChainDefinition, type ChainStep, isExpression } from '../../language/index.js'
import type { ParsedChain } from '../types.js'
import { placedStep } from './placed-step.js'
import { CATCH_ELEMENTS, readCatchChains } from './read-catch-chains.js'
import { executionOf } from './read-view.js'
import { checkOwnId, readBoolean, readName, readParams, textOf } from './xml-elements.js'

/**
 * A chain from the XML form of reference: automation.md §8. Reports what is wrong; returns undefined when the text is
 * not XML. A document type declaration is refused, so there are no entities but the predefined ones.
 */
export const readXml = (id: string, text: string, report: Report): ParsedChain | undefined => {
  const document = parseXml(text, report)
  const found = document && chainIn(document, report)
  if (!found) return undefined
  const { root, beside } = found
  allowAttributes(root, ['id', 'replace', 'execution'], report)
  checkOwnId(root, { id, noun: 'chain', report })
  const parts = childrenOf(root, ['description', 'aliases', 'param', 'operation', ...CATCH_ELEMENTS], report)
  const onError = readCatchChains(id, [...parts, ...beside], report)
  const aliases = named(parts, 'aliases').flatMap((list) => childrenOf(list, ['alias'], report))
  const steps = named(parts, 'operation').map((element, index) =>
    readOperation(element, `operations[${index}]`, report),
  )
  const description = named(parts, 'description')[0]
  const written = root.getAttribute('execution')
  const execution = written === null ? undefined : executionOf(written, placeOf(root), report)
  const chain: ChainDefinition = {
    id,
    ...(description && { description: textOf(description, 'description', report) }),
    aliases: aliases.map((alias, index) => textOf(alias, `aliases[${index}]`, report)),
    ...(execution && { execution }),
    params: readParams(named(parts, 'param'), report),
    steps: steps.map(({ step }) => step),
    ...(onError.length > 0 && { onError: onError.map(({ errorChain }) => errorChain) }),
  }
  const places = {
    id: placeOf(root),
    aliases: aliases.map(placeOf),
    steps: steps.map((step) => step.places),
    onError: onError.map(({ at }) => at),
    filters: onError.map(({ at, filterAt }) => filterAt ?? at),
    params: new Map(named(parts, 'param').map((param) => [param.getAttribute('name') ?? '', placeOf(param)])),
  }
  return { chain, places, mayReplace: readBoolean(root, 'replace', { absent: true, report }) }
}

/** The chain of a text: alone, or as the incumbent contributes it, with its error chains beside it. */
const chainIn = (
  root: Element,
  report: Report,
): { root: Element; beside: readonly Element[] } | undefined => {
  if (root.nodeName === 'chain') return { root, beside: [] }
  const elements = extended(root, ['chain', ...CATCH_ELEMENTS], report) ?? []
  const [chain, second] = named(elements, 'chain')
  if (chain && !second) return { root: chain, beside: elements.filter((element) => element !== chain) }
  const message = second ? 'one chain is deployed at a time' : 'expected the element <chain>'
  report('', placeOf(second ?? root), second ? message : `${message}, found <${root.nodeName}>`)
  return undefined
}

const readOperation = (element: Element, field: string, report: Report) => {
  allowAttributes(element, ['id'], report)
  const seen = new Set<string>()
  const params = childrenOf(element, ['param'], report).map((param) => {
    if (param.getAttribute('value') !== null)
      report(
        '',
        placeOf(param),
        '<param> takes its value as text between its tags, and not as the attribute value',
      )
    allowAttributes(param, ['type', 'name', 'value'], report)
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
  return convert && !isExpression(text) ? convert(text) : text
}

const exactNumber = (text: string): number | string => {
  const isExact = /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))
  return isExact ? Number(text) : text
}

type Conversion = (text: string) => string | number | boolean

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['integer', exactNumber],
  ['long', exactNumber],
  ['float', (text) => (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text)],
  ['boolean', (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text)],
])
