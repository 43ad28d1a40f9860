import type { DocumentPage, RecordPage } from '../../../content/documents/index.js'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'

/** With `isRecorded`: what an earlier call came to. Whether its caller may still see what it was read from is unknown. */
type Recorded = { isRecorded?: boolean }

/** With `isOfOthers`: somebody else has acted in the chain that gave it. Its caller may not see it, and has not named it. */
type OfOthers = { isOfOthers?: boolean }

/**
 * What flows through a chain: the input of an operation, its output, a context variable.
 *
 * Documents travel as ids and are read when somebody looks at them, so that a variable with a long list
 * costs nothing to the steps that do not use it, and a step sees what is stored, not what was.
 */
export type Value =
  | { type: 'void' }
  | ({ type: 'document'; id: string; record?: DocumentRecord } & OfOthers)
  | ({
      type: 'documents'
      /** Paths too, where a caller names documents. */
      ids: readonly string[]
      records?: readonly DocumentRecord[]
      page?: DocumentPage
      /** The call that gave the page, and gives the others of the same list. */
      source?: { operation: string; parameters: { [name: string]: PropertyValue } }
      /** A caller named these: one that is missing is a mistake, while one of a query's may be gone by now. */
      mustExist?: boolean
    } & OfOthers)
  /** A list too long to travel: kept in the transient store in chunks. */
  | { type: 'documentList'; key: string; count: number }
  /** `download` is the key under which it can be fetched by itself, in parts. */
  | ({ type: 'blob'; blob: BlobValue; download?: string } & Recorded)
  | ({ type: 'blobs'; blobs: readonly BlobValue[] } & Recorded)
  | { type: 'string'; value: string }
  | { type: 'number'; value: number }
  | { type: 'boolean'; value: boolean }
  /** ISO 8601 in UTC. */
  | { type: 'date'; value: string }
  /** An object of a kind of its own, e.g. a business object: what stands in its entity's `value`. */
  | { type: 'entity'; entityType: string; value: { [field: string]: PropertyValue } }
  /** Rows of what a query selects. */
  | { type: 'recordSet'; value: RecordPage }
  /** Lists and maps of plain JSON, and null. */
  | { type: 'json'; value: PropertyValue }

/** Names of input and output types, as a registry entry advertises them (reference: automation.md §2). */
export const VALUE_TYPES = [
  'void',
  'document',
  'documents',
  'blob',
  'bloblist',
  'string',
  'number',
  'boolean',
  'date',
  'object',
] as const

export type ValueType = (typeof VALUE_TYPES)[number]

export type Variables = { [name: string]: Value }

export const VOID: Value = { type: 'void' }

export const documentValue = (record: DocumentRecord): Value => ({ type: 'document', id: record.id, record })

export const documentsValue = (records: readonly DocumentRecord[]): Value => ({
  type: 'documents',
  ids: records.map((record) => record.id),
  records,
})

/** A value that only says which documents it means: whoever looks at them later sees what is stored then. */
export const withoutRecord = (value: Value): Value => {
  if (value.type === 'document') {
    const { record: _, ...named } = value
    return named
  }
  if (value.type !== 'documents') return value
  const { records: _, ...named } = value
  return named
}

/** The advertised type of a value. */
export const typeOf = (value: Value): ValueType => {
  if (value.type === 'blobs') return 'bloblist'
  if (value.type === 'documentList') return 'documents'
  if (value.type === 'entity' || value.type === 'recordSet') return 'object'
  if (value.type === 'json') return value.value === null ? 'void' : 'object'
  return value.type
}

/** A value from plain JSON: scalars keep their type, the rest is `json`, null is void. */
export const valueOfJson = (json: PropertyValue): Value => {
  if (json === null) return VOID
  if (typeof json === 'string') return { type: 'string', value: json }
  if (typeof json === 'number') return { type: 'number', value: json }
  if (typeof json === 'boolean') return { type: 'boolean', value: json }
  return { type: 'json', value: json }
}

/** What an earlier call came to, without what it counted with the rights of then. */
export const recordedValue = (value: Value): Value => {
  if (value.type === 'blob' || value.type === 'blobs') return { ...value, isRecorded: true }
  if (value.type !== 'documents') return value
  const { page: _, ...documents } = value
  return documents
}
