import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  createDocumentReader,
  type DocumentReader,
  type Value,
} from '../../core/automation/language/index.js'
import type { UnitOfWork } from '../../core/automation/run-store/index.js'
import { type DocumentPage, MAX_PAGE_SIZE } from '../../core/content/documents/index.js'
import { type BlobStore, contentDisposition, contentTypeOf } from '../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { asWebStream } from '../download/index.js'
import { recordSetEntity } from './record-set-entity.js'

/** Writes entities as the document REST API does, with the selections of one request. */
export type EntityWriter = {
  document(record: DocumentRecord): Promise<unknown>
  /** In their order. */
  entries(records: readonly DocumentRecord[]): Promise<readonly unknown[]>
  /** The entity around entries, which knows how many there are. */
  around(records: readonly DocumentRecord[], page?: DocumentPage): object
}

const jsonText = (text: string, type: string): Response =>
  new Response(text, { headers: { 'content-type': `application/json; nuxeo-entity=${type}` } })

const json = (entity: unknown): Response =>
  jsonText(JSON.stringify(entity), (entity as { 'entity-type'?: string })['entity-type'] ?? 'value')

/** Characters of a list of documents: a call may name thousands, each as large as the body of a request. */
const MOST_CHARACTERS = 64 * 1024 * 1024

/** Documents that are rendered at once before it is known how large they are, and at most. */
const FIRST_RENDERED = 20
const MOST_RENDERED = 500

/** Each document as JSON. @throws tooLarge for more than an answer may hold, before all of it is in memory. */
const entryTexts = async (
  writer: EntityWriter,
  records: readonly DocumentRecord[],
): Promise<readonly string[]> => {
  const texts: string[] = []
  let characters = 0
  for (let count = FIRST_RENDERED; texts.length < records.length; ) {
    const rendered = await writer.entries(records.slice(texts.length, texts.length + count))
    for (const entity of rendered) {
      const text = JSON.stringify(entity)
      characters += text.length
      if (characters > MOST_CHARACTERS)
        throw fail(
          'tooLarge',
          `The answer is longer than ${MOST_CHARACTERS} characters: ask for fewer documents, for fewer of their properties, or for none (X-NXVoidOperation)`,
        )
      texts.push(text)
    }
    const average = characters / texts.length
    count = Math.max(1, Math.min(MOST_RENDERED, Math.floor(MOST_CHARACTERS / 16 / average)))
  }
  return texts
}

const documentsResponse = async (
  writer: EntityWriter,
  records: readonly DocumentRecord[],
  page?: DocumentPage,
): Promise<Response> => {
  const mark = randomUUID()
  const frame = JSON.stringify({ ...writer.around(records, page), entries: [mark] })
  const texts = await entryTexts(writer, records)
  return jsonText(
    frame.replace(`"${mark}"`, () => texts.join(',')),
    'documents',
  )
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
      return documentsResponse(writer, await shown(reader, value), value.page)
    case 'documentList': {
      const ids = await unit.transient.getList(value.key, 0, Math.min(value.count, MAX_PAGE_SIZE))
      return documentsResponse(writer, await reader.many({ type: 'documents', ids }))
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
