import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  createDocumentReader,
  type DocumentReader,
  type UnitOfWork,
  type Value,
} from '../../core/automation/index.js'
import { type BlobStore, contentDisposition, contentTypeOf } from '../../core/blobs/index.js'
import {
  type BlobValue,
  type DocumentPage,
  type DocumentRecord,
  MAX_PAGE_SIZE,
  type PropertyValue,
} from '../../core/documents/index.js'
import { asWebStream } from '../download/index.js'
import { recordSetEntity } from './record-set-entity.js'

/** Writes entities as the document REST API does, with the selections of one request. */
export type EntityWriter = {
  document(record: DocumentRecord): Promise<unknown>
  documents(records: readonly DocumentRecord[], page?: DocumentPage): Promise<unknown>
}

const json = (entity: unknown): Response => {
  const type = (entity as { 'entity-type'?: string })['entity-type'] ?? 'value'
  return new Response(JSON.stringify(entity), {
    headers: { 'content-type': `application/json; nuxeo-entity=${type}` },
  })
}

const noContent = (): Response => new Response(null, { status: 204 })

const blobHeaders = (blob: BlobValue): Record<string, string> => ({
  'content-type': contentTypeOf(blob),
  'content-disposition': contentDisposition(blob.name),
})

const blobResponse = async (blobs: BlobStore, blob: BlobValue): Promise<Response> => {
  const body = asWebStream(await blobs.open(blob.digest))
  return new Response(body, {
    headers: { ...blobHeaders(blob), 'content-length': String(blob.length), etag: `"${blob.digest}"` },
  })
}

/** One part after another, each streamed when its turn comes. */
async function* multipart(
  blobs: BlobStore,
  list: readonly BlobValue[],
  boundary: string,
): AsyncGenerator<Uint8Array> {
  for (const blob of list) {
    const headers = Object.entries(blobHeaders(blob)).map(([name, value]) => `${name}: ${value}`)
    yield Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`)
    for await (const chunk of await blobs.open(blob.digest)) yield chunk as Uint8Array
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}

/** Files one after another, each a part of its own. */
export const blobListResponse = (blobs: BlobStore, list: readonly BlobValue[]): Response => {
  if (list.length === 0)
    return new Response(null, { status: 204, headers: { 'content-type': 'application/nuxeo-empty-list' } })
  // What nobody could know before: files may hold whatever their authors wanted, also the mark between parts.
  const boundary = `archivolt-${randomUUID()}`
  const body = asWebStream(Readable.from(multipart(blobs, list, boundary)))
  return new Response(body, {
    headers: { 'content-type': `multipart/mixed; boundary="${boundary}"` },
  })
}

/** The documents of a list that fit an answer: the page that a query looked at, else the first ones. */
const shown = async (
  reader: DocumentReader,
  { page, ids, records }: Extract<Value, { type: 'documents' }>,
): Promise<readonly DocumentRecord[]> => {
  if (page && page.entries.length > 0) return page.entries
  return records ?? reader.many({ type: 'documents', ids: ids.slice(0, MAX_PAGE_SIZE) })
}

/** Whether JSON is an entity by itself, e.g. a user in the shape of a document, which stands in no other one. */
const isEntity = (value: PropertyValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  typeof value['entity-type'] === 'string'

/** Answers with what a call came to, in the form of automation.md §4. */
export const respondWith = async (
  value: Value,
  { unit, blobs, writer }: { unit: UnitOfWork; blobs: BlobStore; writer: EntityWriter },
): Promise<Response> => {
  const reader = createDocumentReader(unit.session, unit.transient)
  switch (value.type) {
    case 'void':
      return noContent()
    case 'document':
      return json(await writer.document(await reader.one(value)))
    case 'documents':
      return json(await writer.documents(await shown(reader, value), value.page))
    case 'documentList': {
      const ids = await unit.transient.getList(value.key, 0, Math.min(value.count, MAX_PAGE_SIZE))
      return json(await writer.documents(await reader.many({ type: 'documents', ids })))
    }
    case 'blob':
      return blobResponse(blobs, value.blob)
    case 'blobs':
      return blobListResponse(blobs, value.blobs)
    case 'entity':
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
