import { randomUUID } from 'node:crypto'
import type { DocumentPage } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { fail } from '../../../../core/platform/errors/index.js'

/** Writes entities as the document REST API does, with the selections of one request. */
export type EntityWriter = {
  document(record: DocumentRecord): Promise<unknown>
  /** In the order of the records. */
  entries(records: readonly DocumentRecord[]): Promise<readonly unknown[]>
  /** The list entity without its entries, with the paging fields. */
  around(records: readonly DocumentRecord[], page?: DocumentPage): object
}

const jsonText = (text: string, type: string): Response =>
  new Response(text, { headers: { 'content-type': `application/json; nuxeo-entity=${type}` } })

/** An entity as a response, whose content type names the entity type. */
export const json = (entity: unknown): Response =>
  jsonText(JSON.stringify(entity), (entity as { 'entity-type'?: string })['entity-type'] ?? 'value')

/** Characters of a list of documents: a call may name thousands, each as large as the body of a request. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** Size of the first batch of rendered documents, whose size is not known yet, and of the largest one. */
const FIRST_RENDERED = 20
const MAX_RENDERED = 500

/** Each document as JSON. @throws tooLarge for more than a response may hold, before all of it is in memory. */
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
      if (characters > MAX_CHARACTERS)
        throw fail(
          'tooLarge',
          `The response exceeds ${MAX_CHARACTERS} characters; request fewer documents, fewer properties, or no response (X-NXVoidOperation)`,
        )
      texts.push(text)
    }
    const average = characters / texts.length
    count = Math.max(1, Math.min(MAX_RENDERED, Math.floor(MAX_CHARACTERS / 16 / average)))
  }
  return texts
}

/** A list of documents as a response. @throws tooLarge. */
export const documentsResponse = async (
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
