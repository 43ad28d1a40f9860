import { fail } from '../../platform/errors/index.js'
import type { BlobContent } from '../blobs/index.js'
import type { ChunkQuota } from './chunk-quota.js'
import type { BatchEntry } from './entries.js'
import { chunkSlot, fileSlot } from './parts.js'
import type { FilePlace, NewChunk } from './types.js'

const bytesIn = async (content: BlobContent): Promise<number> => {
  let bytes = 0
  for await (const chunk of content instanceof Uint8Array ? [content] : content) bytes += chunk.byteLength
  return bytes
}

/**
 * Keeps a chunk. One that is sent again is read to its end, so that its sender gets an answer.
 *
 * @throws conflict when the one that is there has another length; insufficientStorage.
 */
export const keepChunk = async (
  { store, key }: BatchEntry,
  { owner, index }: FilePlace,
  { content, chunk, signal, maxBytes, quota }: NewChunk & { maxBytes: number; quota: ChunkQuota },
): Promise<void> => {
  const slot = chunkSlot(index, chunk)
  const known = await store.blob(key, slot)
  if (known || (await store.blob(key, fileSlot(index)))) {
    const length = await bytesIn(content)
    if (known && known.length !== length)
      throw fail('conflict', `Chunk ${chunk} is there already with ${known.length} bytes, and not ${length}`)
    return
  }
  await quota.during({ store, owner, content }, (counted) =>
    store.putBlob(key, slot, counted, { owner, maxLength: maxBytes, ...(signal && { signal }) }),
  )
}
