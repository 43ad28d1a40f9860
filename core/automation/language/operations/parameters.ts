import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import type { NameKind } from '../names.js'
import type { Value } from '../values/values.js'

/** Types of parameters, by their wire names (reference: automation.md §2 and §3, coercion table). */
export type ParameterType =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'long'
  | 'float'
  | 'date'
  | 'document'
  | 'documents'
  | 'blob'
  | 'stringlist'
  | 'resource'
  | 'properties'
  | 'serializable'
  | 'object'
  | 'map'
  | 'list'

/** What an operation's code receives for a parameter of each type. */
export type ParameterValues = {
  string: string
  boolean: boolean
  integer: number
  long: number
  float: number
  /** ISO 8601 in UTC. */
  date: string
  document: DocumentRecord
  documents: readonly DocumentRecord[]
  blob: BlobValue
  stringlist: readonly string[]
  /** An address, as it was written. */
  resource: string
  /** Text or JSON by xpath, not yet coerced to the fields' types. */
  properties: { [xpath: string]: PropertyValue }
  serializable: PropertyValue
  object: Value
  map: { [key: string]: PropertyValue }
  list: readonly PropertyValue[]
}

/** An expression, a query, the conditions of one, or statements of MVEL. */
export type Notation = 'expression' | 'nxql' | 'conditions' | 'statements'

export type Parameter = {
  type: ParameterType
  isRequired?: boolean
  default?: PropertyValue
  aliases?: readonly string[]
  description?: string
  /** Characters of its text at most. */
  maxLength?: number
  /** Of a list: something is done for each pair of an input document and an entry, in one call so often at most. */
  mostPairs?: number
  /** Hints shown to designers. */
  values?: readonly string[]
  /** It is evaluated, and so said by the step itself: see `isOwn`. */
  isCode?: boolean
  /** A step says it itself, or goes without: neither a variable nor a parameter of its caller's stands in. */
  isOwn?: boolean
  /**
   * Writes text so that the notation in which the parameter is read gives it back. What a step writes is in that
   * notation; what comes from elsewhere, by an expression too, is only text, and is written so.
   */
  quoted?(text: string): string
  /**
   * What of the configuration its text names, or each item of its list, or each key of its map: a mistake is reported when a
   * chain is deployed.
   */
  names?: NameKind
  /** The parameter whose text is the xpath of the property that takes its value. */
  ofProperty?: string
  /** The parameter whose text is the type of the documents whose properties its keys are. */
  ofType?: string
  /** What its text is written in, so that a text that a chain writes down can be read when it is deployed. */
  notation?: Notation
}

export type Parameters = { [name: string]: Parameter }

/** Whether only the step itself gives a parameter, none that is looked up elsewhere. */
export const isStepsOwn = ({ isCode, isOwn }: Parameter): boolean => Boolean(isCode || isOwn)

/** Values for declared parameters: certain when required or defaulted, else possibly absent. */
export type ValuesOf<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends { isRequired: true } | { default: PropertyValue }
    ? ParameterValues[P[Name]['type']]
    : ParameterValues[P[Name]['type']] | undefined
}
