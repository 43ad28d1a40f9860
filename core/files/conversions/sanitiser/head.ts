import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Beginning of a file in which its kind shows. */
export const HEAD_BYTES = 64 * 1024

const GZIP = Buffer.from([0x1f, 0x8b])

/** The first bytes, as far as they are there. */
export const firstOf = async (bytes: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let taken = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    taken += chunk.byteLength
    if (taken >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}

/** The bytes of a file, uncompressed. */
export const openBytes = (path: string, isCompressed: boolean): AsyncIterable<Uint8Array> => {
  const bytes = createReadStream(path)
  // Whoever reads the result meets its errors.
  return isCompressed ? pipeline(bytes, createGunzip(), () => undefined) : bytes
}

/** @returns the first bytes of a file, uncompressed, and whether it is compressed by gzip, as SVG may be (`svgz`). */
export const readHead = async (path: string): Promise<{ head: Buffer; isCompressed: boolean }> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const isCompressed = head.subarray(0, GZIP.length).equals(GZIP)
    return { head: isCompressed ? await firstOf(openBytes(path, true), HEAD_BYTES) : head, isCompressed }
  } finally {
    await file.close()
  }
}
