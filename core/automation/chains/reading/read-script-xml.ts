import type { Element } from '@xmldom/xmldom'
import {
  allowAttributes,
  childrenOf,
  named,
  parseXml,
  placeOf,
  type Report,
} from '../../../platform/contributions/index.js'
import { checkOwnId, readBoolean, readParams, textOf } from './xml-elements.js'

const TEXTS = ['inputType', 'outputType', 'category', 'label', 'description', 'script'] as const

/**
 * The content of a scripted operation from the XML form of reference: automation.md §10. Reports what is wrong; undefined
 * when the text is not such an element.
 */
export const readScriptXml = (id: string, text: string, report: Report): object | undefined => {
  const root = parseXml(text, report)
  if (!root) return undefined
  if (root.nodeName !== 'scriptedOperation') {
    report('', placeOf(root), `expected the element <scriptedOperation>, found <${root.nodeName}>`)
    return undefined
  }
  allowAttributes(root, ['id', 'replace'], report)
  checkOwnId(root, { id, noun: 'operation', report })
  readBoolean(root, 'replace', { absent: true, report })
  const parts = childrenOf(root, [...TEXTS, 'aliases', 'param'], report)
  const aliases = named(parts, 'aliases').flatMap((list) => childrenOf(list, ['alias'], report))
  const texts = TEXTS.flatMap((name) => {
    const element = named(parts, name)[0]
    return element
      ? [[name, name === 'script' ? scriptOf(element) : textOf(element, name, report)] as const]
      : []
  })
  return {
    ...Object.fromEntries(texts),
    aliases: aliases.map((alias, index) => textOf(alias, `aliases[${index}]`, report)),
    params: readParams(named(parts, 'param'), report).map(
      ({ name, type, description, isRequired, values }) => ({
        [name]: { type, ...(description !== undefined && { description }), required: isRequired, values },
      }),
    ),
  }
}

/** As it was written: lines are counted from its first one. */
const scriptOf = (element: Element): string => element.textContent ?? ''
