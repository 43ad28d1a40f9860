import type { ByteRange } from './types.js'

const SINGLE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The bytes that a Range header asks of a body of `length` bytes, or null when the whole body is to be sent:
 * no header, several ranges, bad syntax, an end before the start. `unsatisfiable` for a range without any byte of the
 * body (RFC 9110 §14.1.2). An end past the body is clamped.
 */
export const parseRange = (
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = header?.match(SINGLE_RANGE) ?? []
  if (first === '') return last === '' ? null : suffixRange(Number(last), length)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) }
}

const suffixRange = (count: number, length: number): ByteRange | 'unsatisfiable' | null => {
  if (count === 0) return 'unsatisfiable'
  return length > 0 ? { start: Math.max(0, length - count), end: length - 1 } : null
}
