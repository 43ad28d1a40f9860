import { type BlobStore, createBlobValue } from '../../files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../model/properties/index.js'
import { createFairSemaphore, tooManyAtOnce } from '../../platform/limits/index.js'
import type { Session } from '../documents/index.js'
import { archiveOf } from './archive.js'

/** Archives that one process makes at a time, and how long one waits for its turn, milliseconds. */
const turns = createFairSemaphore({ places: 4, waitTimeoutMs: 10_000 })

const tooMany = tooManyAtOnce('exports')

/**
 * Stores the archive of a document as a file. Users take turns: an archive of many documents is much work for a short request.
 *
 * @param stores.signal aborted when nobody waits for it any more.
 * @throws tooManyRequests when no turn comes in time, the signal's reason, and what `archiveOf` throws.
 */
export const storeArchive = (
  { session, blobs, signal }: { session: Session; blobs: BlobStore; signal?: AbortSignal | undefined },
  document: DocumentRecord,
  { isTree }: { isTree: boolean },
): Promise<BlobValue> =>
  turns.within(
    session.principal.name,
    async () => {
      signal?.throwIfAborted()
      const archive = archiveOf({ session, blobs }, document, { isTree })
      const stored = await blobs.write(archive, { ...(signal && { signal }) })
      return createBlobValue({ stored, name: 'export.zip', mimeType: 'application/zip' })
    },
    tooMany,
  )
