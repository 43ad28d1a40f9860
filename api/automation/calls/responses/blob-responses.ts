import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobStore, contentDisposition, contentTypeOf } from '../../../../core/files/blobs/index.js'
import { type BlobValue, blobKey } from '../../../../core/model/properties/index.js'
import { asWebStream } from '../../../download/index.js'

const blobHeaders = (blob: BlobValue): Record<string, string> => ({
  'content-type': contentTypeOf(blob),
  'content-disposition': contentDisposition(blob.name),
})

/** A file as a response. */
export const blobResponse = async (blobs: BlobStore, blob: BlobValue): Promise<Response> => {
  const body = asWebStream(await blobs.open(blob))
  return new Response(body, {
    headers: { ...blobHeaders(blob), 'content-length': String(blob.length), etag: `"${blobKey(blob)}"` },
  })
}

/** One part after another, each streamed in order. */
async function* multipart(
  blobs: BlobStore,
  list: readonly BlobValue[],
  boundary: string,
): AsyncGenerator<Uint8Array> {
  for (const blob of list) {
    const headers = Object.entries(blobHeaders(blob)).map(([name, value]) => `${name}: ${value}`)
    yield Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`)
    for await (const chunk of await blobs.open(blob)) yield chunk as Uint8Array
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}

/** Files one after another, each a part of its own. */
export const blobListResponse = (blobs: BlobStore, list: readonly BlobValue[]): Response => {
  if (list.length === 0)
    return new Response(null, { status: 204, headers: { 'content-type': 'application/nuxeo-empty-list' } })
  // Random, so that no file can contain the boundary on purpose.
  const boundary = `archivolt-${randomUUID()}`
  const body = asWebStream(Readable.from(multipart(blobs, list, boundary)))
  return new Response(body, {
    headers: { 'content-type': `multipart/mixed; boundary="${boundary}"` },
  })
}
