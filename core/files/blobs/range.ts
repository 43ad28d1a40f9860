import type { ByteRange } from './types.js'

const SINGLE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The bytes that a Range header asks of a body of `length` bytes, or null when the whole body is to be sent:
 * no header, several ranges, bad syntax, or a range outside the body. Never an error, as the reference platform
 * answers 200 in full where RFC 9110 allows 416 (blobs-conversions.md §2). An end past the body is clamped.
 */
export const parseRange = (header: string | undefined, length: number): ByteRange | null => {
  const [, first = '', last = ''] = header?.match(SINGLE_RANGE) ?? []
  if (first === '') return last === '' ? null : suffixRange(Number(last), length)
  const start = Number(first)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  return start <= end ? { start, end } : null
}

const suffixRange = (count: number, length: number): ByteRange | null =>
  count > 0 && length > 0 ? { start: Math.max(0, length - count), end: length - 1 } : null
