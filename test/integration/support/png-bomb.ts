import { crc32, deflateSync } from 'node:zlib'

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), content])
  return Buffer.concat([uint32(content.length), body, uint32(crc32(body))])
}

/** A black PNG of one bit a pixel: 16,000 x 16,000 pixels in 31 KB. */
export const pngBomb = (side: number): Buffer => {
  // Bits, then grey, deflate, filter and no interlacing, by their numbers.
  const header = Buffer.concat([uint32(side), uint32(side), Buffer.from([1, 0, 0, 0, 0])])
  const rows = Buffer.alloc((1 + Math.ceil(side / 8)) * side)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
