import { createReadStream } from 'node:fs'
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

/** Whether a file is compressed by gzip, as SVG may be (`svgz`). */
export const isGzip = async (path: string): Promise<boolean> =>
  (await firstOf(createReadStream(path, { end: 1 }), GZIP.length)).equals(GZIP)

/** The bytes of a file, uncompressed. */
export const openBytes = (path: string, isCompressed: boolean): AsyncIterable<Uint8Array> => {
  const bytes = createReadStream(path)
  // Whoever reads the result meets its errors.
  return isCompressed ? pipeline(bytes, createGunzip(), () => undefined) : bytes
}

export const readHead = (path: string, isCompressed: boolean): Promise<Buffer> =>
  firstOf(openBytes(path, isCompressed), HEAD_BYTES)
