import type { Payload } from '@temporalio/common'

const JSON_PLAIN = 'json/plain'
const OPENING = 0x7b
/** No longer object is looked at for whether it is empty. */
const SHORT = 64

/** The bytes of a payload, without a copy. Where there are none the SDK gives an array, whatever its types say. */
export const bytesOf = ({ data }: Payload): Buffer =>
  ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.alloc(0)

/** The JSON object that a payload holds, as text; undefined for any other payload. */
export const objectIn = (payload: Payload): Buffer | undefined => {
  const bytes = bytesOf(payload)
  if (bytes[0] !== OPENING) return undefined
  const encoding = payload.metadata?.encoding
  return encoding && Buffer.from(encoding).toString() === JSON_PLAIN ? bytes : undefined
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
