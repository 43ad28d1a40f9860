import {
  type BlobValue,
  type DocumentRecord,
  isBlobValue,
  type PropertyValue,
} from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { TAG } from '../../platform/sandbox/expressions/index.js'
import { type DocumentReader, type Value, VOID, valueOfJson } from '../language/index.js'

/** A document that scripts of this transaction know, and as what it was seen last. */
export type KnownDocument = { id: string; record: DocumentRecord | undefined }

/** What scripts of one transaction were given: they name documents and blobs by index, and can make up none. */
export type ScriptTable = {
  documents: KnownDocument[]
  indexes: Map<string, number>
  blobs: BlobValue[]
  /** Indexes of documents that have a record. */
  loaded: Set<number>
  /** Whether a script has asked for more of a document than names and paths: others get it unasked then. */
  includesRest: boolean
}

export const createScriptTable = (): ScriptTable => ({
  documents: [],
  indexes: new Map(),
  blobs: [],
  loaded: new Set(),
  includesRest: false,
})

/** Remembers a document, by what is known of it newest. @returns its index. */
export const rememberDocument = (
  table: ScriptTable,
  { id, record }: { id: string; record?: DocumentRecord | undefined },
): number => {
  const known = table.indexes.get(id)
  const index = known ?? table.documents.push({ id, record }) - 1
  table.indexes.set(id, index)
  if (record) {
    table.documents[index] = { id, record }
    table.loaded.add(index)
  }
  return index
}

/** Forgets what documents were like: whoever writes them next reads them again. Unsaved changes are kept. */
export const forgetRecords = (table: ScriptTable): void => {
  for (const index of table.loaded) {
    const { id, record } = table.documents[index]!
    if (record && 'unsaved' in record) continue
    table.documents[index] = { id, record: undefined }
    table.loaded.delete(index)
  }
}

const recordOf = (record: DocumentRecord) => ({ id: record.id, record })

const documentTag = (index: number) => ({ [TAG]: 'document', v: index })

const blobTag = (table: ScriptTable, blob: BlobValue) => ({
  [TAG]: 'blob',
  v: table.blobs.push(blob) - 1,
  name: blob.name,
  mimeType: blob['mime-type'],
  length: blob.length,
  digest: blob.digest,
})

/** JSON for the sandbox: blobs in it become what a script can pass on. */
export const encodeJson = (value: PropertyValue, table: ScriptTable): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => encodeJson(item, table))
  if (isBlobValue(value)) return blobTag(table, value)
  return Object.fromEntries(
    // A key that looks like the tag would forge a value.
    Object.entries(value).flatMap(([key, item]) => (key === TAG ? [] : [[key, encodeJson(item, table)]])),
  )
}

/** A value as scripts see it; the documents of lists are read, with the rights of this moment. */
export const encodeValue = async (
  value: Value,
  { table, reader }: { table: ScriptTable; reader: DocumentReader },
): Promise<unknown> => {
  switch (value.type) {
    case 'void':
      return null
    case 'document':
      // Scripts name documents by id: what is given by its path is looked up.
      return documentTag(
        rememberDocument(table, value.id.startsWith('/') ? recordOf(await reader.one(value)) : value),
      )
    case 'documents':
    case 'documentList':
      return (await reader.many(value)).map((record) =>
        documentTag(rememberDocument(table, recordOf(record))),
      )
    case 'date':
      return { [TAG]: 'date', v: Date.parse(value.value) }
    case 'blob':
      return blobTag(table, value.blob)
    case 'blobs':
      return value.blobs.map((blob) => blobTag(table, blob))
    case 'recordSet':
      return encodeJson(value.value as unknown as PropertyValue, table)
    default:
      return encodeJson(value.value, table)
  }
}

type Tagged = { [TAG]: string; v: number }

const isTagged = (value: unknown): value is Tagged =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && TAG in value

/** Invalid dates of a script have no number, and numbers may lie beyond all dates. */
const isTime = (time: unknown): time is number => typeof time === 'number' && Math.abs(time) <= 8.64e15

const valueOfDate = (time: unknown): Value =>
  isTime(time) ? { type: 'date', value: new Date(time).toISOString() } : VOID

const documentAt = (table: ScriptTable, index: number): KnownDocument => {
  const document = table.documents[index]
  if (!document) throw fail('internal', 'A script names a document that it was not given')
  return document
}

const blobAt = (table: ScriptTable, index: number): BlobValue => {
  const blob = table.blobs[index]
  if (!blob) throw fail('internal', 'A script names a blob that it was not given')
  return blob
}

const documentValueAt = (table: ScriptTable, index: number): Value => {
  const { id, record } = documentAt(table, index)
  return { type: 'document', id, ...(record && { record }) }
}

const isAllTagged = (items: readonly unknown[], tag: string): items is readonly Tagged[] =>
  items.length > 0 && items.every((item) => isTagged(item) && item[TAG] === tag)

/** What a script has handed out: documents, lists of them and blobs as such, the rest as JSON. */
export const decodeValue = (value: unknown, table: ScriptTable): Value => {
  if (value === null || value === undefined) return VOID
  if (isTagged(value)) {
    if (value[TAG] === 'date') return valueOfDate(value.v)
    if (value[TAG] === 'blob') return { type: 'blob', blob: blobAt(table, value.v) }
    return documentValueAt(table, value.v)
  }
  if (Array.isArray(value) && isAllTagged(value, 'document')) {
    const documents = value.map(({ v }) => documentAt(table, v))
    const records = documents.flatMap(({ record }) => record ?? [])
    const ids = documents.map(({ id }) => id)
    return { type: 'documents', ids, ...(records.length === ids.length && { records }) }
  }
  if (Array.isArray(value) && isAllTagged(value, 'blob'))
    return { type: 'blobs', blobs: value.map(({ v }) => blobAt(table, v)) }
  return valueOfJson(decodeJson(value, table))
}

/** The same as plain JSON: documents are their ids, dates ISO texts. */
export const decodeJson = (value: unknown, table: ScriptTable): PropertyValue => {
  if (typeof value !== 'object' || value === null) return (value ?? null) as PropertyValue
  if (Array.isArray(value)) return value.map((item) => decodeJson(item, table))
  if (!isTagged(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodeJson(item, table)]))
  if (value[TAG] === 'date') return isTime(value.v) ? new Date(value.v).toISOString() : null
  if (value[TAG] === 'blob') return { ...blobAt(table, value.v) }
  return documentAt(table, value.v).id
}
