import type { Payload } from '@temporalio/common'

const JSON_PLAIN = 'json/plain'
const OPENING = 0x7b
/** No longer object is looked at for whether it is empty. */
const SHORT = 64

/** The bytes of a payload, without a copy. Where there are none the SDK gives an array, whatever its types say. */
export const bytesOf = ({ data }: Payload): Buffer =>
  ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.alloc(0)

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** Of JSON (RFC 8259 §2). */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d])

/** As the SDK reads texts: one byte order mark does not count. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes

/** From where the SDK's parser would begin, whatever somebody has put before it. */
const beginning = (bytes: Buffer): Buffer => {
  if (bytes[0] === OPENING) return bytes
  const text = withoutMark(bytes)
  const start = text.findIndex((byte) => !BLANKS.has(byte))
  return start < 0 ? text : text.subarray(start)
}

/** The JSON object that a payload holds, as text; undefined for any other payload. */
export const objectIn = (payload: Payload): Buffer | undefined => {
  const object = beginning(bytesOf(payload))
  if (object[0] !== OPENING) return undefined
  const encoding = payload.metadata?.encoding
  return encoding && Buffer.from(encoding).toString() === JSON_PLAIN ? object : undefined
}

export const withData = (payload: Payload, data: Buffer): Payload => ({ ...payload, data })

/** A JSON object with one more member; the first of its name counts less than the last. */
export const withMember = (object: Buffer, member: string, { isLast }: { isLast: boolean }): Buffer => {
  const end = object.lastIndexOf('}')
  const isEmpty = end < SHORT && object.toString('latin1', 1, end).trim() === ''
  const comma = isEmpty ? '' : ','
  return isLast
    ? Buffer.concat([object.subarray(0, end), Buffer.from(`${comma}${member}}`)])
    : Buffer.concat([Buffer.from(`{${member}${comma}`), object.subarray(1)])
}
