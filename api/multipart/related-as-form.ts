import { Transform } from 'node:stream'
import { fail } from '../../core/platform/errors/index.js'

/** The limit of the form parser for the headers of one part, bytes. */
const MAX_HEADERS = 16 * 1024

const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const LINE = Buffer.from('\r\n')
const END = Buffer.from('--')

/** Encodings that leave bytes unchanged (RFC 2045 §6); a file of any other would be stored encoded. */
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary']

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const headerOf = (lines: readonly string[], name: string): string | undefined => {
  const line = lines.find((candidate) => candidate.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}

/**
 * The headers of a part, as a form would have them: named by its `Content-ID`. The first part is the JSON of the
 * call, every other one a file, which has the name of its part when it has no other.
 */
const formHeaders = (written: string, position: number): string => {
  const lines = written.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const encoding = headerOf(lines, 'content-transfer-encoding')
  if (encoding && !PLAIN_ENCODINGS.includes(encoding.toLowerCase()))
    throw fail(
      'badRequest',
      `Content-Transfer-Encoding: '${encoding}' is not among ${PLAIN_ENCODINGS.join(', ')}`,
    )
  const name = headerOf(lines, 'content-id')?.replace(/^<|>$/g, '') || `part${position}`
  const fileName = /;\s*filename\*?\s*=.*/is.exec(headerOf(lines, 'content-disposition') ?? '')?.[0]
  const file = position === 0 ? '' : (fileName ?? `; filename=${quoted(name)}`)
  const type = headerOf(lines, 'content-type')
  return [
    `Content-Disposition: form-data; name=${quoted(name)}${file}`,
    ...(type ? [`Content-Type: ${type}`] : []),
  ].join('\r\n')
}

/**
 * Converts the `multipart/related` bodies of older Java clients (reference: automation.md §3) into `multipart/form-data`
 * while they arrive, so that one parser with the same limits reads both: bytes are unchanged, headers of parts
 * are rewritten.
 *
 * @throws badRequest (through the stream) for headers that are too long, or an encoding of a part.
 */
export const relatedAsForm = (boundary: string): Transform => {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter needs no line before it.
  let pending: Buffer = LINE
  let isInHeaders = false
  let parts = 0

  const takeHeaders = (): Buffer | undefined => {
    const end = pending.subarray(0, LINE.length).equals(LINE) ? 0 : pending.indexOf(END_OF_HEADERS)
    if (end < 0 && pending.length > MAX_HEADERS)
      throw fail('badRequest', 'The headers of a part are too long')
    if (end < 0) return undefined
    const headers = formHeaders(pending.subarray(0, end).toString('latin1'), parts++)
    pending = pending.subarray(end + (end === 0 ? LINE.length : END_OF_HEADERS.length))
    isInHeaders = false
    return Buffer.from(`${headers}\r\n\r\n`, 'latin1')
  }

  /** Up to the headers of the next part, or to what may be the beginning of its delimiter. */
  const takeBody = (): Buffer | undefined => {
    const at = pending.indexOf(delimiter)
    const length = at < 0 ? pending.length - delimiter.length - END.length : at + delimiter.length
    const after = pending.subarray(length, length + LINE.length)
    if (length <= 0 || (at >= 0 && after.length < LINE.length)) return undefined
    isInHeaders = at >= 0 && after.equals(LINE)
    const taken = pending.subarray(0, isInHeaders ? length + LINE.length : length)
    pending = pending.subarray(taken.length)
    return taken
  }

  const take = () => (isInHeaders ? takeHeaders() : takeBody())

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      try {
        for (let taken = take(); taken; taken = take()) this.push(taken)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      done(null, pending)
    },
  })
}
