import { blobAt, getDocument } from '../../../core/content/documents/index.js'
import { requireDownload } from '../../../core/content/download-permissions/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RestServices } from '../rendering/index.js'
import type { Adapter, AdapterEngine, AdapterHandler } from './adapter.js'

/** `@convert`, on a document for its main blob, or on `@blob/{xpath}` (blobs-conversions.md §3). */
export const convertAdapter = (
  { platform }: RestServices,
  { convert }: Pick<AdapterEngine, 'convert'>,
): Adapter => {
  const handle: AdapterHandler = async ({ c, ref, before }) => {
    const xpath = before[0]?.rest ?? 'blobholder:0'
    const session = platform.readSession(c.get('principal'))
    const document = await getDocument(session, ref)
    const blob = blobAt(session.model, document, xpath)
    if (!blob) throw fail('badRequest', `No blob at '${xpath}' of ${ref}`)
    await requireDownload(session, { document, blob, xpath, reason: 'conversion' })
    return convert(c, { source: blob, documentId: document.id })
  }
  return { name: 'convert', isCostly: true, methods: { GET: handle, POST: handle }, follows: ['blob'] }
}
