import {
  createDocumentReader,
  type DocumentReader,
  type Value,
} from '../../../../core/automation/language/index.js'
import type { UnitOfWork } from '../../../../core/automation/run-store/index.js'
import { type DocumentPage, MAX_PAGE_SIZE } from '../../../../core/content/documents/index.js'
import type { BlobStore } from '../../../../core/files/blobs/index.js'
import type { DocumentRecord, PropertyValue } from '../../../../core/model/properties/index.js'
import { ifFound } from '../../../../core/platform/errors/index.js'
import { blobListResponse, blobResponse } from './blob-responses.js'
import { documentsResponse, type EntityWriter, json } from './document-responses.js'
import { recordSetEntity } from './record-set-entity.js'

const noContent = (): Response => new Response(null, { status: 204 })

/** The documents of a list that a response shows: the page of its query, else the first ones. */
const shown = async (
  reader: DocumentReader,
  { page, ids, records }: Extract<Value, { type: 'documents' }>,
): Promise<readonly DocumentRecord[]> => {
  if (page && page.entries.length > 0) return page.entries
  return records ?? reader.many({ type: 'documents', ids: ids.slice(0, MAX_PAGE_SIZE) })
}

/** Says of the first documents of a longer list how many there are. */
const pageOf = (entries: readonly DocumentRecord[], resultsCount: number): DocumentPage | undefined =>
  entries.length >= resultsCount || resultsCount <= MAX_PAGE_SIZE
    ? undefined
    : {
        entries: [...entries],
        ...{ pageSize: 0, maxPageSize: MAX_PAGE_SIZE, pageIndex: 0, offset: 0, resultsCount },
      }

/** Whether JSON is an entity of its own, e.g. a user in the shape of a document, and is not wrapped in another. */
const isEntity = (value: PropertyValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  typeof value['entity-type'] === 'string'

/** Writes the output of a call in the form of reference: automation.md §4. */
export const respondWith = async (
  value: Value,
  { unit, blobs, writer }: { unit: UnitOfWork; blobs: BlobStore; writer: EntityWriter },
): Promise<Response> => {
  const reader = createDocumentReader(unit.session, unit.transient)
  switch (value.type) {
    case 'void':
      return noContent()
    case 'document': {
      // What others have given is hidden without a 404, which would say that nothing was done.
      const reading = reader.one(value)
      const record = await (value.isOfOthers ? ifFound(reading) : reading)
      return record ? json(await writer.document(record)) : noContent()
    }
    case 'documents': {
      const records = await shown(reader, value)
      return documentsResponse(writer, records, value.page ?? pageOf(records, value.ids.length))
    }
    case 'documentList': {
      const ids = await unit.transient.getList(value.key, 0, Math.min(value.count, MAX_PAGE_SIZE))
      const records = await reader.many({ type: 'documents', ids })
      return documentsResponse(writer, records, pageOf(records, value.count))
    }
    case 'blob':
      return blobResponse(blobs, value.blob)
    case 'blobs':
      return blobListResponse(blobs, value.blobs)
    case 'entity':
      // A document that nobody has saved is answered as it was sent.
      if (value.entityType === 'document') return json({ 'entity-type': 'document', ...value.value })
      return json({ 'entity-type': value.entityType, value: value.value })
    case 'recordSet':
      return json(recordSetEntity(value.value))
    case 'json':
      if (value.value === null) return noContent()
      if (isEntity(value.value)) return json(value.value)
      return json({ 'entity-type': Array.isArray(value.value) ? 'list' : 'map', value: value.value })
    default:
      return json({ 'entity-type': value.type, value: value.value })
  }
}
