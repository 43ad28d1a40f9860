import type { Readable } from 'node:stream'
import { type BlobStore, type DownloadRequest, planDownload } from '../../core/files/blobs/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'
import { noteDirect } from './direct.js'
import { beginDownload } from './under-way.js'

/**
 * Reads a chunk when the client has received the previous one: memory stays flat whatever the blob's
 * size. A client that disconnects closes the file.
 */
export const asWebStream = (source: Readable): ReadableStream<Uint8Array> => {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => {
        source.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

/** `?inline` and `?inline=true`, not `?inline=false`. */
const isInline = (c: RequestContext): boolean => {
  const value = c.req.query('inline')
  return value !== undefined && value !== 'false'
}

const dateOf = (modified: unknown): Date | undefined =>
  typeof modified === 'string' ? new Date(modified) : undefined

/** Where the store serves the bytes itself; not what the product must add headers to, such as a sandbox for HTML. */
const addressOf = async (
  blobs: BlobStore,
  blob: BlobValue,
  headers: { readonly [name: string]: string },
): Promise<string | undefined> => {
  const { 'Content-Type': contentType = '', 'Content-Disposition': contentDisposition = '' } = headers
  const isPlain = contentDisposition.startsWith('attachment')
  return isPlain ? blobs.addressOf?.(blob, { contentType, contentDisposition }) : undefined
}

/** Sends a blob that the caller may read to a GET or HEAD: ranges, validators, disposition. */
export const sendBlob = async (
  c: RequestContext,
  {
    blobs,
    blob,
    etag,
    fileName,
    modified,
    onSent,
  }: {
    blobs: BlobStore
    blob: BlobValue
    /** As `DownloadRequest` has it. */
    etag?: string | undefined
    fileName?: string | undefined
    /** `dc:modified` of the document, as stored. */
    modified?: unknown
    /**
     * Called once the file can be sent, from its beginning: not for further ranges of it. A redirect is always reported.
     *
     * @param redirect where the client is sent for it, if it is.
     */
    onSent?(redirect?: string): Promise<void>
  },
): Promise<Response> => {
  const request: DownloadRequest = {
    blob,
    etag,
    method: c.req.method === 'HEAD' ? 'HEAD' : 'GET',
    fileName,
    isInline: isInline(c),
    lastModified: dateOf(modified),
    range: c.req.header('Range'),
    ifRange: c.req.header('If-Range'),
    ifNoneMatch: c.req.header('If-None-Match'),
    ifModifiedSince: c.req.header('If-Modified-Since'),
    wantDigest: c.req.header('Want-Digest'),
  }
  const { status, headers, body } = planDownload(request)
  if (status === 416) {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    throw fail(
      'rangeNotSatisfiable',
      `Range: ${request.range} is beyond the ${blob.length} bytes of the file`,
    )
  }
  if (body === null) return new Response(null, { status, headers })
  const isFromStart = body === 'all' || body.start === 0
  const address = await addressOf(blobs, blob, headers)
  if (address !== undefined) {
    // The address gives the whole file, whichever range was asked for. Without the signature, which lets anybody in.
    await onSent?.(address.split('?', 1)[0])
    return new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-store' } })
  }
  beginDownload(c)
  const source = await blobs.open(blob, body === 'all' ? undefined : body)
  try {
    if (isFromStart) await onSent?.()
  } catch (error) {
    source.destroy()
    throw error
  }
  const stream = asWebStream(source)
  noteDirect(c, stream, source)
  return new Response(stream, { status, headers })
}
