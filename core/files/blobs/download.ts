import { type BlobValue, blobKey } from '../../model/properties/index.js'
import { bareMimeType, contentTypeOf } from './blob-value.js'
import { contentDisposition } from './disposition.js'
import { isPassive } from './inline-types.js'
import { isModified, listsEtag } from './preconditions.js'
import { parseRange } from './range.js'
import type { ByteRange } from './types.js'

export type DownloadRequest = {
  blob: BlobValue
  /**
   * Stands for the bytes instead of their digest, where they differ though nothing has changed: a file that is made
   * for each request. Such a file is sent whole, as parts of two would not fit.
   */
  etag?: string | undefined
  method: 'GET' | 'HEAD'
  /** Replaces the blob's own name (last part of a download path). */
  fileName?: string
  /** `?inline`; default is an attachment. */
  isInline?: boolean
  /** `dc:modified` of the document that holds the blob. */
  lastModified?: Date
  /** Request headers, as received. */
  range?: string
  ifRange?: string
  ifNoneMatch?: string
  ifModifiedSince?: string
  wantDigest?: string
}

export type DownloadPlan = {
  /** 416: the range is beyond the end of the bytes, and the body is that of an error. */
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  /** What to read of the store; null when none of it is sent, `'all'` for the whole blob. */
  body: ByteRange | 'all' | null
}

/**
 * The answer to a GET or HEAD of a blob: status, headers and the bytes to send (blobs-conversions.md §2). Pure:
 * rights, external redirects and audit come before it.
 */
export const planDownload = (request: DownloadRequest): DownloadPlan => {
  const { blob, method } = request
  // Of the bytes themselves: files that differ may share an MD5.
  const etag = `"${request.etag ?? blobKey(blob)}"`
  const validators = {
    ETag: etag,
    ...(request.lastModified && { 'Last-Modified': request.lastModified.toUTCString() }),
  }
  // As the reference does: If-Modified-Since counts even next to If-None-Match.
  if (!isModified(request) || listsEtag(request.ifNoneMatch, etag))
    return { status: 304, headers: validators, body: null }

  // A Range is defined for GET alone (RFC 9110 §14.2); a stale If-Range asks for the new bytes in full.
  const mayBePartial = method === 'GET' && !request.etag && (!request.ifRange || request.ifRange === etag)
  const range = mayBePartial ? parseRange(request.range, blob.length) : null
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'Content-Range': `bytes */${blob.length}` }, body: null }
  const headers = {
    ...validators,
    'Accept-Ranges': request.etag ? 'none' : 'bytes',
    ...representationHeaders(request),
    ...digestHeaders(blob, request.wantDigest, range),
    'Content-Length': String(range ? range.end - range.start + 1 : blob.length),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${blob.length}` }),
  }
  const body = method === 'HEAD' ? null : (range ?? 'all')
  return { status: range ? 206 : 200, headers, body }
}

/** No scripts, no forms, no requests, an origin of its own; pictures and styles inside the file still show. */
const SANDBOX =
  "sandbox; default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'"

const representationHeaders = ({ blob, fileName, isInline = false }: DownloadRequest) => {
  const type = contentTypeOf(blob)
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(fileName ?? blob.name, isInline),
    'X-Content-Type-Options': 'nosniff',
    // A file that one user uploads must not act as another who looks at it.
    ...(isInline && !isPassive(bareMimeType(type)) && { 'Content-Security-Policy': SANDBOX }),
  }
}

/** `Want-Digest: md5` adds `Digest: MD5=<base64>`; `contentmd5` adds `Content-MD5` of a whole body. */
const digestHeaders = (
  blob: BlobValue,
  wantDigest: string | undefined,
  range: ByteRange | null,
): Record<string, string> => {
  const wanted = (wantDigest ?? '').split(',').map((item) => bareMimeType(item))
  const base64 = () => Buffer.from(blob.digest, 'hex').toString('base64')
  if (wanted.includes(blob.digestAlgorithm.toLowerCase()))
    return { Digest: `${blob.digestAlgorithm}=${base64()}` }
  if (wanted.includes('contentmd5') && blob.digestAlgorithm === 'MD5' && !range)
    return { 'Content-MD5': base64() }
  return {}
}
