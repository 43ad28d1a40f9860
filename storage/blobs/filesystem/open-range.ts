import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type ByteRange, READ_BUFFER_BYTES } from '../../../core/files/blobs/index.js'

/**
 * Reads a file from one byte to another, which is before it when there is none. Buffers are as large as what is left:
 * without an end, a full one would be made for each small file, and one more to find that nothing follows.
 */
export const openRange = async (path: string, { start, end }: ByteRange): Promise<Readable> => {
  const handle = await open(path, 'r')
  return handle.createReadStream({ ...(start <= end && { start, end }), highWaterMark: READ_BUFFER_BYTES })
}
