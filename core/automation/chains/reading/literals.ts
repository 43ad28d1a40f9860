import { kindOf, normalizeDate, type PropertyValue } from '../../../model/properties/index.js'
import { didYouMean } from '../../../platform/contributions/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import {
  isExpression,
  type ParameterType,
  parsePropertiesText,
  truthValue,
  wholeNumber,
} from '../../language/index.js'

type Check = (value: PropertyValue) => string | undefined

/** Values by name, as a map of a text has them. */
export type Values = { [name: string]: PropertyValue }

export const isMap = (value: PropertyValue | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What lines of `key=value` say; undefined when one of them has another form. */
export const valuesOfLines = (text: string): Values | undefined => {
  try {
    return parsePropertiesText(text, 'of properties')
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return undefined
  }
}

const isScalar = (value: PropertyValue): boolean => typeof value !== 'object' || value === null

const shown = (value: PropertyValue): string => {
  if (!isScalar(value)) return kindOf(value)
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}

const expecting =
  (what: string, accepts: (value: PropertyValue) => boolean): Check =>
  (value) =>
    accepts(value) ? undefined : `expected ${what}, found ${shown(value)}`

const integer = expecting('an integer', (value) => {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'string' && wholeNumber(value) !== undefined
})

const properties: Check = (value) => {
  if (isMap(value)) return undefined
  if (typeof value !== 'string') return `expected a map or lines of key=value, found ${shown(value)}`
  return valuesOfLines(value) ? undefined : 'expected a map or lines of key=value, found a line without ='
}

const isTexts = (value: PropertyValue): boolean => Array.isArray(value) && value.every(isScalar)

/** One check for each parameter type, by what can be read as it (reference: automation.md §3). */
const CHECKS: { [type in ParameterType]: Check } = {
  string: expecting('a text', isScalar),
  boolean: expecting(
    'true or false',
    (value) => typeof value === 'boolean' || (typeof value === 'string' && truthValue(value) !== undefined),
  ),
  integer,
  long: integer,
  float: expecting('a number', (value) => typeof value === 'number'),
  date: expecting(
    'a date such as 2024-05-31 or 2024-05-31T12:00:00Z',
    (value) =>
      typeof value === 'string' && (value.trim() === '' || normalizeDate(value.trim()) !== undefined),
  ),
  document: expecting(
    'the id or path of a document',
    (value) => typeof value === 'string' && value.trim() !== '',
  ),
  documents: expecting('ids or paths of documents', (value) => typeof value === 'string' || isTexts(value)),
  blob: expecting('an expression (expr:…) that gives a blob', () => false),
  stringlist: expecting('a list of texts', (value) => isScalar(value) || isTexts(value)),
  resource: expecting('an address', (value) => typeof value === 'string'),
  properties,
  serializable: () => undefined,
  object: () => undefined,
  map: expecting('a map', isMap),
  list: expecting('a list', (value) => Array.isArray(value)),
}

/** Types of parameters that are more than text. */
export const PARAMETER_TYPES = Object.keys(CHECKS) as ParameterType[]

/** What people write for a type that is called otherwise. */
const MEANT: { readonly [name: string]: ParameterType } = {
  int: 'integer',
  number: 'float',
  double: 'float',
  bool: 'boolean',
  text: 'string',
  str: 'string',
  doc: 'document',
  docs: 'documents',
  any: 'object',
  file: 'blob',
  array: 'list',
}

/** Why a declared parameter cannot be of a type; undefined when it can. */
export const refusalOfType = (type: string): string | undefined => {
  if (Object.hasOwn(CHECKS, type)) return undefined
  const meant = Object.hasOwn(MEANT, type) ? MEANT[type] : didYouMean(type, PARAMETER_TYPES)
  const hint = meant === undefined ? '' : `, did you mean "${meant}"?`
  return `unknown type "${type}"${hint}${hint === '' ? ';' : ''} known are ${PARAMETER_TYPES.join(', ')}`
}

/** Types that a default, which is written as text, is read as when a chain begins. */
const READ_AS_TEXT: ReadonlySet<string> = new Set(['boolean', 'integer', 'long', 'date'])

/** Why a declared value cannot be of its parameter's type; undefined when it can. */
export const refusalOfDefault = (type: string, value: string): string | undefined =>
  READ_AS_TEXT.has(type) ? refusalOfLiteral(type, value) : undefined

/**
 * Why a value written in a chain can never be read as a parameter's type; undefined when it can, or when
 * that is not known before it is evaluated. Types that are not known are read as text.
 */
export const refusalOfLiteral = (type: string, value: PropertyValue): string | undefined => {
  if (value === null || isExpression(value)) return undefined
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type as ParameterType] : CHECKS.string
  const refusal = check(value)
  const isUnmarked = refusal !== undefined && typeof value === 'string' && value.includes('@{')
  return isUnmarked ? `${refusal}; what is evaluated begins with expr:` : refusal
}
