import { Readable } from 'node:stream'
import { fail } from '../../platform/errors/index.js'
import type { BlobContent } from '../blobs/index.js'
import type { ChunkQuota } from './chunk-quota.js'
import type { BatchEntry } from './entries.js'
import { chunkSlot } from './parts.js'
import type { FilePlace, NewChunk } from './types.js'

/** Reads content to its end, so that its sender gets an answer. @returns its bytes. */
export const bytesIn = async (content: BlobContent): Promise<number> => {
  if (content instanceof Uint8Array) return content.byteLength
  // What has been read to its end has nothing more to read.
  if (content instanceof Readable && content.readableEnded) return 0
  let bytes = 0
  for await (const part of content) bytes += part.byteLength
  return bytes
}

/**
 * Keeps a chunk. One that is there already stays; what is sent again is read to its end.
 *
 * @param options.receive is called with the bytes of each part that is kept.
 * @throws conflict when the one that is there has another length; insufficientStorage.
 */
export const keepChunk = async (
  { store, key }: BatchEntry,
  { owner, index }: FilePlace,
  {
    content,
    chunk,
    signal,
    maxBytes,
    quota,
    receive,
  }: NewChunk & { maxBytes: number; quota: ChunkQuota; receive(bytes: number): void },
): Promise<void> => {
  let received = 0
  const kept = await quota.during({ store, owner }, (count) =>
    store.putBlob(key, chunkSlot(index, chunk), content, {
      ...{ owner, maxLength: maxBytes, ...(signal && { signal }) },
      receive: (bytes) => {
        received += bytes
        receive(bytes)
        count(bytes)
      },
    }),
  )
  const sent = received > 0 ? received : await bytesIn(content)
  if (kept.length !== sent)
    throw fail('conflict', `Chunk ${chunk} is there already with ${kept.length} bytes, and not ${sent}`)
}
