import { extname } from 'node:path'
import { lookup } from 'mime-types'
import type { BlobValue } from '../../model/properties/index.js'
import { RAW_TYPES } from './raw-types.js'
import type { StoredBlob } from './types.js'

/** Pages with all that they show (RFC 2557), as browsers send them; the library takes them for mails. */
const WEB_ARCHIVE = /\.mht(?:ml)?$/i

const UNKNOWN_TYPE = 'application/octet-stream'

/** Mime type of a file name's extension; `application/octet-stream` when it is unknown. */
export const mimeTypeOf = (fileName: string): string =>
  WEB_ARCHIVE.test(fileName)
    ? 'multipart/related'
    : lookup(fileName) || RAW_TYPES.get(extname(fileName).slice(1).toLowerCase()) || UNKNOWN_TYPE

/** `type/subtype` in lower case without parameters: the form in which mime types are compared. */
export const bareMimeType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase()

export type BlobDescription = {
  stored: StoredBlob
  name: string | null
  /** Derived from the name when absent, malformed (`pdf`) or `application/octet-stream`. */
  mimeType?: string | null
  encoding?: string | null
}

/** Clients that do not know the type of a file send it as mere bytes. */
const isSpecific = (mimeType: string): boolean =>
  isMimeType(mimeType) && bareMimeType(mimeType) !== UNKNOWN_TYPE

/** The document property value of stored bytes. */
export const createBlobValue = ({ stored, name, mimeType, encoding }: BlobDescription): BlobValue => ({
  name,
  'mime-type': mimeType && isSpecific(mimeType) ? mimeType : mimeTypeOf(name ?? ''),
  encoding: encoding ?? null,
  digestAlgorithm: stored.digestAlgorithm,
  digest: stored.digest,
  key: stored.key,
  length: stored.length,
})

const MIME_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=([\w!#$&^.+:-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/

/** True for `type/subtype` with well-formed parameters, so for what may stand in a header. */
export const isMimeType = (text: string): boolean => MIME_TYPE.test(text)

const ENCODING = /^[\w.:-]{1,100}$/

/** Characters of a header that clients and proxies take. */
const LONGEST_TYPE = 1_000

/**
 * The Content-Type of a blob: its mime type, with `charset` from its encoding. A malformed stored value is not
 * returned to the client.
 */
export const contentTypeOf = (blob: Pick<BlobValue, 'mime-type' | 'encoding'>): string => {
  const mimeType = blob['mime-type']
  if (!mimeType || mimeType.length > LONGEST_TYPE || !isMimeType(mimeType)) return UNKNOWN_TYPE
  const hasEncoding =
    blob.encoding !== null && ENCODING.test(blob.encoding) && !/;\s*charset=/i.test(mimeType)
  return hasEncoding ? `${mimeType}; charset=${blob.encoding}` : mimeType
}
