import { blobsAt, getDocument, type Session } from '../../../core/content/documents/index.js'
import type { BlobStore } from '../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'
import { blobListResponse } from './responses/blob-responses.js'

export type FileServices = {
  blobs: BlobStore
  /** @throws forbidden for a file whose download the deployment's scripts refuse. */
  requireDownload(
    session: Session,
    file: { document: DocumentRecord; blob: BlobValue; xpath: string },
  ): Promise<void>
  sendFile(
    c: RequestContext,
    file: { session: Session; document: DocumentRecord; blob: BlobValue; xpath: string },
  ): Promise<Response>
}

/**
 * The file of a document at `path`, its main one when absent, or all of a list, each a part of multipart/mixed
 * (reference: automation.md §1).
 *
 * @throws notFound for a document that does not exist, and when there is no file at the xpath.
 */
export const filesResponse = async (
  c: RequestContext,
  session: Session,
  { blobs, requireDownload, sendFile }: FileServices,
): Promise<Response> => {
  const xpath = c.req.query('path') || 'file:content'
  const document = await getDocument(session, c.req.param('id') ?? '')
  const found = blobsAt(session.model, document, xpath)
  const [blob, ...others] = found
  if (!blob) throw fail('notFound', `path: no file at '${xpath}' of ${document.id}`)
  if (others.length === 0) return sendFile(c, { session, document, blob, xpath })
  for (const one of found) await requireDownload(session, { document, blob: one, xpath })
  return blobListResponse(blobs, found)
}
