import type { PropertyValue } from '../../model/properties/index.js'
import type { FieldType } from './adapters-point.js'

/** A field of a business object: a property of its document, or derived from it. */
export type BusinessField =
  | { name: string; kind: 'property'; xpath: string; type: FieldType | undefined; isReadOnly: boolean }
  | { name: string; kind: 'derived'; expression: string }

/** How documents of a type look as an object, and back. */
export type BusinessAdapter = {
  name: string
  documentType: string
  /** In order of declaration. */
  fields: readonly BusinessField[]
  /** Expressions by xpath. */
  onWrite: Readonly<Record<string, string>>
}

/** The object of a document on the wire: `id` and `type` of the document, then the adapter's fields. */
export type BusinessObject = {
  'entity-type': string
  value: { [field: string]: PropertyValue }
}
