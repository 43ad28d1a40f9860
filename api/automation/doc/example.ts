import { stringify } from 'yaml'
import {
  type Operation,
  type Parameter,
  type ParameterType,
  truthValue,
  wholeNumber,
} from '../../../core/automation/language/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'

const EXAMPLES: { [type in ParameterType]: PropertyValue } = {
  string: 'text',
  boolean: true,
  integer: 1,
  long: 1,
  float: 1.5,
  date: '2024-05-31T12:00:00Z',
  document: '/default-domain/workspaces',
  documents: ['/default-domain/workspaces'],
  blob: 'expr:This',
  stringlist: ['one', 'two'],
  resource: 'https://example.org/a.pdf',
  properties: { 'dc:title': 'A title' },
  serializable: 'text',
  object: 'text',
  map: { key: 'value' },
  list: ['one', 'two'],
}

/** Examples for types whose texts are parsed. */
const IN_NOTATION: { [notation in NonNullable<Parameter['notation']>]: string } = {
  nxql: 'SELECT * FROM Document',
  conditions: "dc:title = 'A title'",
  expression: 'true',
  statements: 'true',
}

/** Defaults may be written as texts; examples show them in their type. */
const asTyped = (value: PropertyValue, type: ParameterType): PropertyValue => {
  if (typeof value !== 'string') return value
  if (type === 'boolean') return truthValue(value) ?? value
  return type === 'integer' || type === 'long' ? (wholeNumber(value) ?? value) : value
}

const exampleValue = (
  name: string,
  parameter: Parameter,
  callsTarget: Operation['callsTarget'],
): PropertyValue => {
  if (callsTarget && name === 'id') return 'Context.FetchDocument'
  // The variable into which an earlier step has put the list.
  if (callsTarget === 'list' && name === 'list') return 'documents'
  if (parameter.default !== undefined) return asTyped(parameter.default, parameter.type)
  if (parameter.notation) return IN_NOTATION[parameter.notation]
  return parameter.type === 'string' && parameter.values?.[0] ? parameter.values[0] : EXAMPLES[parameter.type]
}

/** A step of a chain that a deployment accepts: with its required parameters and their defaults. */
export const exampleOf = ({ id, params, callsTarget }: Operation): string => {
  const shown = Object.entries(params).filter(
    ([, { isRequired, default: otherwise }]) => isRequired || otherwise !== undefined,
  )
  const values = Object.fromEntries(
    shown.map(([name, parameter]) => [name, exampleValue(name, parameter, callsTarget)]),
  )
  return stringify([shown.length > 0 ? { [id]: values } : id], { indentSeq: false, lineWidth: 0 })
}
