import { DOMImplementation, type Element, XMLSerializer } from '@xmldom/xmldom'
import type { PropertyValue } from '../../../model/properties/index.js'
import type { ChainDefinition } from '../../language/index.js'

/** A chain in the XML form of reference: automation.md §8. What XML cannot say (lists, maps in maps) becomes JSON text. */
export const writeXml = (chain: ChainDefinition): string => {
  const document = new DOMImplementation().createDocument(null, 'chain')
  const root = document.documentElement
  if (!root) throw new Error('A new XML document has no root element')
  const add = (parent: Element, name: string, attributes: { [name: string]: string } = {}): Element => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    parent.appendChild(element)
    return element
  }
  const addText = (parent: Element, name: string, text: string): void =>
    void add(parent, name).appendChild(document.createTextNode(text))

  root.setAttribute('id', chain.id)
  if (chain.execution) root.setAttribute('execution', chain.execution)
  if (chain.description !== undefined) addText(root, 'description', chain.description)
  if (chain.aliases.length > 0) {
    const list = add(root, 'aliases')
    for (const alias of chain.aliases) addText(list, 'alias', alias)
  }
  for (const { name, type, description, isRequired, values } of chain.params) {
    const param = add(root, 'param', { type, name, ...(isRequired && { required: 'true' }) })
    if (description !== undefined) param.setAttribute('description', description)
    for (const value of values) addText(param, 'value', value)
  }
  for (const { operation, params } of chain.steps) {
    const step = add(root, 'operation', { id: operation })
    for (const [name, value] of Object.entries(params)) {
      if (value === null) continue
      const param = add(step, 'param', { type: typeOf(value), name })
      if (typeof value !== 'object' || Array.isArray(value)) {
        param.appendChild(document.createTextNode(textOf(value)))
        continue
      }
      for (const [key, inner] of Object.entries(value)) {
        add(param, 'property', { key }).appendChild(document.createTextNode(textOf(inner)))
      }
    }
  }
  const filters: string[] = []
  const caught = chain.onError && add(root, 'catchChain', { onChainId: chain.id })
  for (const { chain: chainId, filter, rollback, priority } of chain.onError ?? []) {
    if (filter !== undefined) filters.push(filter)
    add(caught ?? root, 'run', {
      chainId,
      priority: String(priority),
      rollBack: String(rollback),
      ...(filter !== undefined && { filterId: `filter${filters.length}` }),
    })
  }
  for (const [index, filter] of filters.entries())
    add(root, 'filter', { id: `filter${index + 1}` }).appendChild(document.createTextNode(filter))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}

const typeOf = (value: PropertyValue): string => {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'long' : 'float'
  return typeof value === 'object' && !Array.isArray(value) ? 'properties' : 'string'
}

const textOf = (value: PropertyValue): string => {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(',')))
    return value.join(',')
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
