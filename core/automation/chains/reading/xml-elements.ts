import type { Element } from '@xmldom/xmldom'
import {
  allowAttributes,
  childrenOf,
  isText,
  named,
  placeOf,
  type Report,
} from '../../../platform/contributions/index.js'
import type { ChainParameter } from '../../language/index.js'
import { refusalOfKey, refusalOfText } from './text-rules.js'

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
