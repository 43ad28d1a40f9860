import { buffer } from 'node:stream/consumers'
import { withZip, type ZippedEntry } from '../../../platform/archives/index.js'
import { fail } from '../../../platform/errors/index.js'
import { HEAD_BYTES } from './head.js'

/** Parts of a package, and of all inside of it together: several may be the same bytes of the file. */
export const MAX_ENTRIES = 20_000

/** Of all that a package holds, unpacked, packages inside of it among it. */
const MAX_UNPACKED_BYTES = 1024 ** 3

/** Beyond so many bytes, unpacked, a package may be so many times as large as it is packed; sheets reach 50. */
const SMALL_BYTES = 64 * 1024 ** 2
const MAX_RATIO = 200

/** Packages inside of packages: an embedded sheet in a document, and what that holds. */
const MAX_DEPTH = 3
const MAX_INNER_BYTES = 64 * 1024 ** 2

const ZIP = Buffer.from('PK\u0003\u0004')

const refused = (what: string) => fail('invalid', `The document is refused: ${what}`)

/** Of an entry that is read at once. */
const SMALL_BYTES_OF_ENTRY = 256 * 1024

/** The first bytes of an entry, and how many there really are: what an archive says of it may be a lie. */
const read = async (entry: ZippedEntry, left: number): Promise<{ head: Buffer; length: number }> => {
  const small = await entry.readSmall(Math.min(left, SMALL_BYTES_OF_ENTRY))
  if (small) return { head: small.subarray(0, HEAD_BYTES), length: small.length }
  const chunks: Buffer[] = []
  let length = 0
  for await (const part of (await entry.open()) as AsyncIterable<Buffer>) {
    if (length < HEAD_BYTES) chunks.push(part)
    length += part.length
    if (length > left) break
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), length }
}

/** @property parts that may still follow, in whatever package. */
type Room = { parts: number }

const survey = async (
  entries: readonly ZippedEntry[],
  { depth, room }: { depth: number; room: Room },
): Promise<{ length: number; heads: Map<ZippedEntry, Buffer> }> => {
  const heads = new Map<ZippedEntry, Buffer>()
  let total = 0
  room.parts -= entries.length
  for (const entry of entries) {
    if (entry.name.endsWith('/') || entry.length === 0) continue
    const { head, length } = await read(entry, MAX_UNPACKED_BYTES - total)
    heads.set(entry, head)
    total += length
    if (total > MAX_UNPACKED_BYTES) break
    if (!head.subarray(0, ZIP.length).equals(ZIP)) continue
    if (depth === MAX_DEPTH) throw refused(`it holds packages within packages, ${MAX_DEPTH} deep at most`)
    if (entry.length > MAX_INNER_BYTES) throw refused('a package inside of it is too large to be looked at')
    const inner = await buffer(await entry.open())
    const own = await withZip(inner, room.parts, (parts) => survey(parts, { depth: depth + 1, room }))
    total += own.length
  }
  return { length: total, heads }
}

/**
 * Refuses packages that are small as files and huge when they are opened, also inside of others.
 *
 * @param packedLength bytes of the file.
 * @returns the first bytes of each part that has any.
 * @throws invalid for one that is more than 1 GiB, or large and more than 200 times the file.
 */
export const requireBounded = async (
  entries: readonly ZippedEntry[],
  packedLength: number,
): Promise<ReadonlyMap<ZippedEntry, Buffer>> => {
  const { length, heads } = await survey(entries, { depth: 1, room: { parts: MAX_ENTRIES } })
  if (length > MAX_UNPACKED_BYTES)
    throw refused(`it has more than ${MAX_UNPACKED_BYTES} bytes when it is unpacked`)
  if (length > SMALL_BYTES && length > MAX_RATIO * packedLength)
    throw refused(`it has ${length} bytes when it is unpacked, more than ${MAX_RATIO} times the file`)
  return heads
}
