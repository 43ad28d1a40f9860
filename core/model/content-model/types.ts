import type { SynonymRule } from './synonyms-point.js'
/**
 * The content model: what schemas, document types, facets and life cycles exist.
 *
 * It is built once from contributions and passed on as an immutable value; a redeployed
 * contribution builds a new one.
 */

/** All integer XSD types are `long`; `float` and `decimal` are `double`; `dateTime` is `date`. */
export type ScalarType = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'binary'

export type FieldType = ScalarType | 'blob' | 'complex'

export type Field = {
  /** Bare name, without the schema's prefix. */
  name: string
  type: FieldType
  isList: boolean
  /** Sub-fields of a complex field, in order of declaration; empty otherwise. */
  fields: readonly Field[]
  constraints: {
    required?: boolean
    maxLength?: number
    minLength?: number
    pattern?: string
    values?: readonly string[]
    /** Bounds of numbers, or of dates as ISO 8601 text in UTC; part of the interval unless said otherwise. */
    minimum?: number | string
    maximum?: number | string
    minimumInclusive?: boolean
    maximumInclusive?: boolean
  }
  default?: unknown
  resolver?: Resolver
}

/** The target of references (rest-documents.md §10). */
export type Resolver = {
  kind: 'user' | 'directory' | 'document'
  directory?: string
  /** References to users or groups alone; both when absent. */
  only?: 'user' | 'group'
  /** How documents are referred to: by id or path, with the prefix `repository:` or alone. */
  store?: 'id' | 'path' | 'idOnly' | 'pathOnly'
  /** A value that refers to nothing is refused. */
  isChecked: boolean
}

export type Schema = {
  name: string
  /** The prefix of its properties; the schema's name when it declares none. */
  prefix: string
  hasPrefix: boolean
  fields: ReadonlyMap<string, Field>
}

export type Facet = { name: string; schemas: readonly string[] }

export type DocumentType = {
  name: string
  parent: string | null
  /** Own, inherited and facet schemas, without duplicates. */
  schemas: readonly string[]
  /** Own and inherited facets. */
  facets: readonly string[]
  allowedChildren: readonly string[]
  lifecycle: string
  /** Path of its picture, own or inherited. */
  icon?: string
  /** A type that others extend and that no document has. */
  isAbstract?: boolean
}

export type Transition = { name: string; to: string; description?: string }

export type Lifecycle = {
  name: string
  initial: string
  states: ReadonlyMap<string, { name: string; transitions: readonly string[] }>
  transitions: ReadonlyMap<string, Transition>
}

/** A field found by its xpath, with the schema that declares it. */
export type ResolvedField = {
  schema: Schema
  field: Field
  /** Canonical xpath, e.g. `files:files/0/file/name`; `*` stands where the caller wrote `*`. */
  xpath: string
  /** Key of the value in a document's properties, always prefixed: `dc:title`, `file:content`. */
  key: string
  /** Steps below the key: list positions as numbers, wildcards as `*` or `*1`, sub-fields as names. */
  steps: readonly (string | number)[]
}

/** A full-text index; `weight` marks its words among those of `default`, which has none. */
export type FulltextIndex = { weight: 'A' | 'B' | null; fields: readonly string[] }

/** The texts that are indexed of documents of a type, or added by a facet of theirs: property keys by weight. */
export type FulltextFields = {
  /** `type:Note` or `facet:Picture`. */
  owner: string
  a: readonly string[]
  b: readonly string[]
  c: readonly string[]
  /** Texts below complex properties and blobs, of weight C; `path` is a JSON path from the document's properties. */
  nested: readonly { key: string; path: string }[]
}

export type FulltextModel = {
  /** By name; `default` is always there. */
  indexes: ReadonlyMap<string, FulltextIndex>
  fields: readonly FulltextFields[]
  synonyms: readonly SynonymRule[]
}

export type ContentModel = {
  schemas: ReadonlyMap<string, Schema>
  facets: ReadonlyMap<string, Facet>
  types: ReadonlyMap<string, DocumentType>
  lifecycles: ReadonlyMap<string, Lifecycle>
  fulltext: FulltextModel
  /** Resolves `dc:title`, `file:content/length`, `files:files/0/file`, `dc:subjects/*`; undefined when unknown. */
  resolve(xpath: string): ResolvedField | undefined
  /** The type itself and every type below it; empty when the type is unknown. */
  subtypes(type: string): readonly string[]
  /** Schemas of a type plus those of the facets that an instance carries. */
  schemasOf(type: string, instanceFacets: readonly string[]): readonly Schema[]
  /** All facets of a document: its type's and its own. */
  facetsOf(type: string, instanceFacets: readonly string[]): readonly string[]
}
