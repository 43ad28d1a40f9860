import { open } from 'node:fs/promises'
import { type ByteRange, type FileStream, READ_BUFFER_BYTES } from '../../../core/files/blobs/index.js'

/**
 * Reads a file from one byte to another, which is before it when there is none. Buffers are as large as what is left:
 * without an end, a full one would be made for each small file, and one more to find that nothing follows.
 */
export const openRange = async (path: string, { start, end }: ByteRange): Promise<FileStream> => {
  const handle = await open(path, 'r')
  const stream = handle.createReadStream({
    ...(start <= end && { start, end }),
    highWaterMark: READ_BUFFER_BYTES,
  })
  let at = start
  const readInto = async (buffer: Uint8Array): Promise<number> => {
    const length = Math.min(buffer.byteLength, end + 1 - at)
    if (length <= 0) return 0
    const { bytesRead } = await handle.read(buffer, 0, length, at)
    at += bytesRead
    return bytesRead
  }
  return Object.assign(stream, { readInto })
}
