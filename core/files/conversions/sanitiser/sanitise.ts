import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { decode } from '../engines/text.js'
import type { Cleaner } from './cleaner.js'
import { isGzip, openBytes, readHead } from './head.js'
import { createHtmlCleaner } from './html.js'
import { charsetOf, type Kind, kindOf } from './kind.js'
import { createSvgCleaner } from './svg.js'

/** Of text, uncompressed: a drawing or page of this size fills the memory of what shows it. */
const MAX_CHARS = 64 * 1024 * 1024

export type Sanitising = {
  /** Absolute path of a private copy, which is replaced. */
  input: string
  mimeType: string
  /** Charset that the caller knows; null: as the file says. */
  encoding: string | null
  signal?: AbortSignal
}

const cleaners = { svg: createSvgCleaner, html: createHtmlCleaner }

/**
 * Rewrites SVG and HTML, found by their bytes, without what leads out of them: external references, includes,
 * entities, scripts. Other files stay as they are. Fails with `operationFailed` for SVG that is not well-formed, `invalid`
 * for text that is too long.
 *
 * @returns what the file is.
 */
export const sanitise = async ({ input, mimeType, encoding, signal }: Sanitising): Promise<Kind> => {
  const isCompressed = await isGzip(input)
  const head = await readHead(input, isCompressed).catch(unreadable)
  const kind = mimeType === 'text/html' ? 'html' : kindOf(head)
  if (kind === 'other') return kind
  const charset = (kind === 'html' && encoding) || charsetOf(head)
  const text = decode(openBytes(input, isCompressed), charset)
  const clean = `${input}.clean`
  try {
    await pipeline(cleaned(text, cleaners[kind]()), createWriteStream(clean), { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw isArchivoltError(error) ? error : unreadable(error)
  }
  await rename(clean, input)
  return kind
}

async function* cleaned(text: AsyncIterable<string>, cleaner: Cleaner): AsyncGenerator<string> {
  let length = 0
  for await (const part of text) {
    length += part.length
    if (length > MAX_CHARS) throw fail('invalid', `The file has more than ${MAX_CHARS} characters`)
    yield cleaner.write(part)
  }
  yield cleaner.end()
}

const unreadable = (cause: unknown): never => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw fail('operationFailed', `The file cannot be read: ${reason}`, { cause })
}
