import { DOMImplementation, type Element, XMLSerializer } from '@xmldom/xmldom'
import { stringify } from 'yaml'
import type { ScriptDefinition } from '../../language/index.js'

/** A scripted operation as plain values, in the order in which people read it. */
export const viewOfScript = (definition: ScriptDefinition) => ({
  ...(definition.label !== undefined && { label: definition.label }),
  category: definition.category,
  ...(definition.description !== undefined && { description: definition.description }),
  ...(definition.aliases.length > 0 && { aliases: [...definition.aliases] }),
  ...(definition.inputType && { inputType: definition.inputType }),
  ...(definition.outputType && { outputType: definition.outputType }),
  ...(definition.params.length > 0 && {
    params: definition.params.map(({ name, type, description, isRequired, values }) => ({
      [name]: {
        type,
        ...(description !== undefined && { description }),
        ...(isRequired && { required: true }),
        ...(values.length > 0 && { values: [...values] }),
      },
    })),
  }),
  script: definition.script,
})

export const writeScriptYaml = (definition: ScriptDefinition): string =>
  stringify(viewOfScript(definition), { indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false })

/** The XML form of reference: automation.md §10. */
export const writeScriptXml = (definition: ScriptDefinition): string => {
  const document = new DOMImplementation().createDocument(null, 'scriptedOperation')
  const root = document.documentElement
  if (!root) throw new Error('A new XML document has no root element')
  const add = (parent: Element, name: string, text?: string): Element => {
    const element = document.createElement(name)
    if (text !== undefined) element.appendChild(document.createTextNode(text))
    parent.appendChild(element)
    return element
  }
  const { id, label, inputType, outputType, category, description, aliases, params, script } = definition
  root.setAttribute('id', id)
  if (inputType) add(root, 'inputType', inputType)
  if (outputType) add(root, 'outputType', outputType)
  add(root, 'category', category)
  if (label !== undefined) add(root, 'label', label)
  if (description !== undefined) add(root, 'description', description)
  if (aliases.length > 0) {
    const list = add(root, 'aliases')
    for (const alias of aliases) add(list, 'alias', alias)
  }
  for (const param of params) {
    const element = add(root, 'param')
    element.setAttribute('name', param.name)
    element.setAttribute('type', param.type)
    if (param.isRequired) element.setAttribute('required', 'true')
    if (param.description !== undefined) element.setAttribute('description', param.description)
    for (const value of param.values) add(element, 'value', value)
  }
  add(root, 'script', script)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}
