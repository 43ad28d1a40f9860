import { getDocument, type Session } from '../../../core/content/documents/index.js'
import { requireDownload } from '../../../core/content/download-permissions/index.js'
import { type BlobStore, createBlobValue } from '../../../core/files/blobs/index.js'
import type { BlobSource, BlobValue, OnBlob } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { shortened } from '../../../core/platform/limits/index.js'
import { DEFAULT_REPOSITORY } from '../../../core/platform/settings/index.js'
import { type DownloadPath, fileAtPath, parseDownloadPath } from '../../download/index.js'
import { API, rawPath, requestedRepository, routedPath } from '../../edge/index.js'
import { parseIdTarget, parsePathTarget } from './target.js'

/** Files of a multipart request by part name, under a random batch name. */
export type UploadedParts = {
  batch: string
  files: ReadonlyMap<string, BlobValue>
  /** The property of the only file, where the request does not say which one. */
  assumed?: string
}

export type BlobReading = {
  blobs: BlobStore
  session: Session
  parts: UploadedParts | undefined
  /** A file of a batch. @throws badRequest naming the field when the caller has none. */
  findUpload(upload: { batch: string; file: string; field: string }): Promise<BlobValue>
  /** The caller's session on another repository; undefined when there is none of that name. */
  readSession(repository: string): Session | undefined
}

const ENCODINGS: { [name: string]: BufferEncoding } = {
  'utf-8': 'utf8',
  'us-ascii': 'ascii',
  'iso-8859-1': 'latin1',
  'utf-16le': 'utf16le',
}

const storeText = async (
  blobs: BlobStore,
  { text, name, mimeType, encoding }: Extract<BlobSource, { kind: 'text' }>,
): Promise<BlobValue> => {
  const encodingName = encoding ?? 'UTF-8'
  const nodeEncoding = ENCODINGS[encodingName.toLowerCase()]
  if (!nodeEncoding)
    throw fail('badRequest', `encoding: '${encodingName}' is not among ${Object.keys(ENCODINGS).join(', ')}`)
  const stored = await blobs.write(Buffer.from(text, nodeEncoding))
  return createBlobValue({ stored, name, mimeType: mimeType ?? 'text/plain', encoding: encodingName })
}

/** Of an address without its base: the path alone counts. */
const ANY_BASE = 'http://server/'

/** Characters of an address: to read the name of a host takes the square of its length. */
const MAX_ADDRESS = 4_000

const absolute = (url: string): string | undefined => {
  if (url.length > MAX_ADDRESS) return undefined
  if (/^https?:/.test(url)) return URL.canParse(url) ? url : undefined
  return `${ANY_BASE}${url.replace(/^\.?\//, '')}`
}

const FILES = /^\/api\/v1\/automation\/files\/([^/]+)$/

/** Document and xpath of a download address of this server, in any of its forms. */
const ownDownload = (url: string): Pick<DownloadPath, 'id' | 'xpath' | 'whole'> | undefined => {
  const path = routedPath(url)
  const [, file] = FILES.exec(path) ?? []
  if (file) return { id: file, xpath: new URL(url).searchParams.get('path') || 'file:content' }
  const root = [`${API}/id`, `${API}/path`].find((candidate) => path.startsWith(`${candidate}/`))
  if (root !== undefined) {
    const parse = root.endsWith('/id') ? parseIdTarget : parsePathTarget
    const { ref, adapters } = parse(path.slice(root.length))
    const [call] = adapters
    return call?.name === 'blob' && adapters.length === 1 ? { id: ref, xpath: call.rest } : undefined
  }
  return parseDownloadPath(path)
}

/** Repositories share their blobs, so that the file may belong to a document of any of them. */
const findBlob = async (
  { session, readSession }: Pick<BlobReading, 'session' | 'readSession'>,
  written: string,
  xpath: string,
): Promise<BlobValue> => {
  const url = absolute(written)
  const own = url === undefined ? undefined : ownDownload(url)
  const repository =
    url && own && (requestedRepository({ url, headers: new Headers() }) ?? DEFAULT_REPOSITORY)
  const source = repository === session.repository ? session : repository && readSession(repository)
  const document = own && source && (await getDocument(source, own.id))
  const file = document && fileAtPath(source.model, document, own)
  if (!file)
    throw fail(
      'badRequest',
      `${xpath}: no blob of this server is at ${url ? rawPath(url) : shortened(written, 100)}`,
    )
  const { blob, xpath: place } = file
  await requireDownload(source, { document, blob, xpath: place, reason: 'download' })
  return blob
}

/** Converts the blobs in a document's JSON into stored ones: inline texts, addresses, uploads, parts of the request. */
export const createBlobReader =
  ({ blobs, session, parts, findUpload, readSession }: BlobReading): OnBlob =>
  async (source, { xpath }) => {
    if (source.kind === 'text') return storeText(blobs, source)
    if (source.kind === 'url') return findBlob({ session, readSession }, source.url, xpath)
    const { batch, file: name } = source
    if (batch !== parts?.batch) return findUpload({ batch, file: name, field: xpath })
    const file = parts.files.get(name)
    if (!file) throw fail('badRequest', `${xpath}: the request has no file part named '${name}'`)
    return file
  }
