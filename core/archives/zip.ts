import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipEntry = {
  /** With `/` between folders; a name that ends with it is a folder. */
  name: string
  /** Bytes of the content; without any it is not opened, beyond 4 GiB the entry is written in the larger form (Zip64). */
  length: number
  open(): Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>
}

/** What 32 bits cannot hold stands in the Zip64 fields, marked by this. */
const FULL = 0xffffffff

/** UTF-8 names; checksum and sizes behind the content, which is written as it is read. */
const FLAGS = 0x0808
const STORED = 0
const DEFLATE = 8

/** 1 January 1980, the earliest that the format knows: the same content makes the same archive. */
const DATE = 0x0021

type Written = {
  name: Buffer
  method: number
  crc: number
  size: number
  packed: number
  offset: number
  isLarge: boolean
}

const localHeader = ({ name, method, isLarge }: Written): Buffer => {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isLarge ? 45 : 20, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt16LE(DATE, 12)
  header.writeUInt16LE(name.length, 26)
  if (!isLarge) return Buffer.concat([header, name])
  header.fill(0xff, 18, 26)
  header.writeUInt16LE(20, 28)
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  return Buffer.concat([header, name, extra])
}

const descriptor = ({ crc, size, packed, isLarge }: Written): Buffer => {
  const bytes = Buffer.alloc(isLarge ? 24 : 16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  if (isLarge) {
    bytes.writeBigUInt64LE(BigInt(packed), 8)
    bytes.writeBigUInt64LE(BigInt(size), 16)
  } else {
    bytes.writeUInt32LE(packed, 8)
    bytes.writeUInt32LE(size, 12)
  }
  return bytes
}

const centralHeader = ({ name, method, crc, size, packed, offset }: Written): Buffer => {
  const large = [size, packed, offset].filter((value) => value >= FULL)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(45, 4)
  header.writeUInt16LE(large.length > 0 ? 45 : 20, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt16LE(DATE, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(Math.min(packed, FULL), 20)
  header.writeUInt32LE(Math.min(size, FULL), 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(large.length > 0 ? 4 + 8 * large.length : 0, 30)
  header.writeUInt32LE(Math.min(offset, FULL), 42)
  if (large.length === 0) return Buffer.concat([header, name])
  const extra = Buffer.alloc(4 + 8 * large.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * large.length, 2)
  for (const [index, value] of large.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return Buffer.concat([header, name, extra])
}

const MOST_ENTRIES = 0xffff

const end = ({ count, size, offset }: { count: number; size: number; offset: number }): Buffer => {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(Math.min(count, MOST_ENTRIES), 8)
  record.writeUInt16LE(Math.min(count, MOST_ENTRIES), 10)
  record.writeUInt32LE(Math.min(size, FULL), 12)
  record.writeUInt32LE(Math.min(offset, FULL), 16)
  if (count < MOST_ENTRIES && size < FULL && offset < FULL) return record
  const large = Buffer.alloc(76)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  large.writeUInt32LE(0x07064b50, 56)
  large.writeBigUInt64LE(BigInt(offset + size), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, record])
}

/** The packed bytes of an entry, which learns its checksum and sizes on the way. */
async function* packed(written: Written, open: ZipEntry['open']): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw()
  const source = await open()
  const feeding = (async () => {
    for await (const chunk of source) {
      written.crc = crc32(chunk, written.crc)
      written.size += chunk.length
      if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  })().catch((error) => deflate.destroy(error))
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    written.packed += chunk.length
    yield chunk
  }
  await feeding
}

/**
 * The bytes of a zip archive, entry after entry, each read when its turn comes: memory stays flat whatever the
 * size. Names are those of the entries; the caller keeps them apart.
 */
export async function* zipOf(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let position = 0
  const sent = (bytes: Uint8Array): Uint8Array => {
    position += bytes.length
    return bytes
  }
  for await (const { name, length, open } of entries) {
    // Deflate makes random bytes a little longer.
    const isLarge = length >= FULL - 16 * 1024 * 1024
    const method = length === 0 ? STORED : DEFLATE
    const entry = { name: Buffer.from(name), method, crc: 0, size: 0, packed: 0, offset: position, isLarge }
    yield sent(localHeader(entry))
    if (length > 0) for await (const chunk of packed(entry, open)) yield sent(chunk)
    yield sent(descriptor(entry))
    written.push(entry)
  }
  const offset = position
  for (const entry of written) yield sent(centralHeader(entry))
  yield end({ count: written.length, size: position - offset, offset })
}
