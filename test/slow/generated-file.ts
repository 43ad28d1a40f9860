import { createHash, randomBytes } from 'node:crypto'

const CHUNK_BYTES = 1024 * 1024

export type GeneratedFile = {
  length: number
  /** The content, made as it is read; each reading gives the same bytes. */
  chunks(): Generator<Buffer>
  /** One MiB of it, by its number from 0. */
  mebibyte(index: number): Buffer
  /** Hex MD5 of the first bytes of the content. */
  md5(length?: number): string
}

/** A file that exists nowhere: `length` bytes, a whole number of MiB, no two MiB the same. */
export const generateFile = (length: number): GeneratedFile => {
  const base = randomBytes(CHUNK_BYTES)
  const mebibyte = (index: number): Buffer => {
    const chunk = Buffer.from(base)
    chunk.writeUInt32LE(index)
    return chunk
  }
  const chunks = function* (): Generator<Buffer> {
    for (let index = 0; index * CHUNK_BYTES < length; index++) yield mebibyte(index)
  }
  const md5 = (first = length): string => {
    const hash = createHash('md5')
    let left = first
    for (const chunk of chunks()) {
      hash.update(chunk.subarray(0, left))
      left -= chunk.byteLength
      if (left <= 0) break
    }
    return hash.digest('hex')
  }
  return { length, chunks, mebibyte, md5 }
}
