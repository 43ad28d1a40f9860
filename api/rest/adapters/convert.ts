import { blobAt, getDocument } from '../../../core/content/documents/index.js'
import { requireDownload } from '../../../core/content/download-permissions/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'
import type { RestServices } from '../rendering/index.js'
import type { Adapter, AdapterHandler } from './adapter.js'

/**
 * `@convert`, on a document for its main blob, or on `@blob/{xpath}` (blobs-conversions.md §3).
 *
 * @param convert responds with the converted blob, or with the address of its status.
 */
export const convertAdapter = (
  { platform }: RestServices,
  convert: (c: RequestContext, source: BlobValue) => Promise<Response>,
): Adapter => {
  const handle: AdapterHandler = async ({ c, ref, before }) => {
    const xpath = before[0]?.rest ?? 'blobholder:0'
    const session = platform.readSession(c.get('principal'))
    const document = await getDocument(session, ref)
    const blob = blobAt(session.model, document, xpath)
    if (!blob) throw fail('badRequest', `No blob at '${xpath}' of ${ref}`)
    await requireDownload(session, { document, blob, xpath, reason: 'conversion' })
    return convert(c, blob)
  }
  return { name: 'convert', methods: { GET: handle, POST: handle }, follows: ['blob'] }
}
