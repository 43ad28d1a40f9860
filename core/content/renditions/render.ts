import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { requireDownload } from '../download-permissions/index.js'
import type { Rendition, RenditionTools } from './rendition.js'

/** A rendition as a file. */
export type Rendered = {
  blob: BlobValue
  /** Stands for the bytes where they differ each time, though they are made of the same file in the same way. */
  etag?: string
}

/**
 * Renders a document for a caller, when the deployment's scripts permit what it is made of and what comes out.
 *
 * @returns undefined when the document turns out to have no such rendition.
 * @throws forbidden when a script denies.
 */
export const render = async (
  { name, sourceOf, render: make }: Rendition,
  call: { session: Session; document: DocumentRecord; tools: RenditionTools },
): Promise<Rendered | undefined> => {
  const { session, document } = call
  const asked = { document, reason: 'rendition', rendition: name, infos: { rendition: name } }
  const source = sourceOf?.(session, document)
  if (source) await requireDownload(session, { ...asked, ...source })
  const blob = await make(call)
  if (!blob) return undefined
  await requireDownload(session, { ...asked, blob, xpath: null })
  const isCopy = source === undefined || source.blob.digest === blob.digest
  return isCopy ? { blob } : { blob, etag: `${source.blob.digest}-${name}` }
}
