import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { decode } from '../engines/documents/text.js'
import { createSlots, inSlot, type SlotRequest } from '../tools/slots.js'
import type { Cleaner } from './cleaner.js'
import { createFlatOdfCleaner } from './flat-odf.js'
import { HEAD_BYTES, openBytes, readHead } from './head.js'
import { createHtmlCleaner } from './html.js'
import { charsetOf, type Kind, kindOf } from './kind.js'
import { sanitisePackage } from './package.js'
import { createSvgCleaner } from './svg.js'

/** Of text, uncompressed, and of what is written of it: a drawing or page of this size fills the memory of what shows it. */
const MAX_CHARS = 64 * 1024 * 1024

/** What is rewritten and looked through at once in a process: each takes its processor, and some hundred megabytes. */
const turns = createSlots(2)

export type Sanitising = SlotRequest & {
  /** Absolute path of a private copy, which is replaced. */
  input: string
  mimeType: string
  /** Charset that the caller knows; null: as the file says. */
  encoding: string | null
}

const cleaners = { svg: createSvgCleaner, html: createHtmlCleaner, odf: createFlatOdfCleaner }

const isText = (kind: Kind): kind is keyof typeof cleaners => kind in cleaners

/**
 * Rewrites SVG (that inside an office document, too), flat office documents and HTML, found by their bytes, without what
 * leads out of them: external references, includes, entities, scripts. Other files stay as they are. Users take turns.
 * Fails with `conversionFailed` for XML that is not well-formed, `invalid` for text that is too long, or begins with too
 * long a prolog.
 *
 * @returns what the file is.
 */
export const sanitise = async ({ input, mimeType, encoding, owner, signal }: Sanitising): Promise<Kind> => {
  const { head, isCompressed } = await readHead(input).catch(unreadable)
  const kind = mimeType === 'text/html' ? 'html' : kindOf(head)
  const charset = (kind === 'html' && encoding) || charsetOf(head)
  if (kind === 'longProlog')
    throw fail('invalid', `The file has no element within its first ${HEAD_BYTES} bytes`)
  const work = isText(kind)
    ? () => rewrite(input, { kind, charset, isCompressed, signal })
    : kind === 'package' && (() => sanitisePackage(input, signal))
  try {
    if (work) await inSlot(turns, { owner, signal }, work)
  } catch (error) {
    signal?.throwIfAborted()
    throw isArchivoltError(error) ? error : unreadable(error)
  }
  return kind
}

type Rewriting = { kind: keyof typeof cleaners; charset: string; isCompressed: boolean; signal?: AbortSignal }

const rewrite = async (input: string, { kind, charset, isCompressed, signal }: Rewriting): Promise<void> => {
  const text = decode(openBytes(input, isCompressed), charset)
  await pipeline(cleaned(text, cleaners[kind]()), createWriteStream(`${input}.clean`), { signal })
  await rename(`${input}.clean`, input)
}

async function* cleaned(text: AsyncIterable<string>, cleaner: Cleaner): AsyncGenerator<string> {
  let length = 0
  let written = 0
  for await (const part of text) {
    length += part.length
    const clean = cleaner.write(part)
    written += clean.length
    if (Math.max(length, written) > MAX_CHARS)
      throw fail('invalid', `The file has more than ${MAX_CHARS} characters`)
    yield clean
  }
  yield cleaner.end()
}

const unreadable = (cause: unknown): never => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw fail('conversionFailed', `The file cannot be read: ${reason}`, { cause })
}
