import { createHash } from 'node:crypto'
import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { requireDownload } from '../download-permissions/index.js'
import { keepingOf } from './contributed.js'
import type { Rendition, RenditionTools } from './rendition.js'

/** A rendition as a file. */
export type Rendered = {
  blob: BlobValue
  /** Stands for the bytes where they differ each time, though they are made of the same file in the same way. */
  etag?: string
}

type Call = { session: Session; document: DocumentRecord; tools: RenditionTools }

/** What is kept of the same file, made in the same way, else what is made of it now. */
const made = async (
  rendition: Rendition,
  { etag, ...call }: Call & { etag: string | undefined },
): Promise<BlobValue | undefined> => {
  const { isKept, isPerUser } = keepingOf(call.session, rendition)
  if (!isKept || etag === undefined) return rendition.render(call)
  const { kept } = call.tools
  const owner = isPerUser ? call.session.principal.name : ''
  const key = createHash('sha256')
    .update(JSON.stringify([etag, owner]))
    .digest('hex')
  const found = await kept.get(key)
  if (found) return found
  const blob = await rendition.render(call)
  if (blob) await kept.put(key, blob)
  return blob
}

/**
 * Renders a document for a caller, when the deployment's scripts permit what it is made of and what comes out.
 *
 * @returns undefined when the document turns out to have no such rendition.
 * @throws forbidden when a script denies.
 */
export const render = async (rendition: Rendition, call: Call): Promise<Rendered | undefined> => {
  const { session, document } = call
  const { name, sourceOf, version, isOfDocument = false } = rendition
  const asked = { document, reason: 'rendition', rendition: name, infos: { rendition: name } }
  const source = sourceOf?.(session, document)
  if (source) await requireDownload(session, { ...asked, ...source })
  const parts = source && !isOfDocument ? [source.blob.digest, name, version] : []
  const etag = parts.length > 0 ? parts.filter((part) => part !== undefined).join('-') : undefined
  const blob = await made(rendition, { ...call, etag })
  if (!blob) return undefined
  await requireDownload(session, { ...asked, blob, xpath: null })
  const isCopy = etag === undefined || source?.blob.digest === blob.digest
  return isCopy ? { blob } : { blob, etag }
}
