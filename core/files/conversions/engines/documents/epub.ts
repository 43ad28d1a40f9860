import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { withZip } from '../../../../platform/archives/index.js'
import { fail, isArchivoltError } from '../../../../platform/errors/index.js'
import type { Engine } from '../engine.js'
import type { ToolEngineOptions } from './pdf.js'
import { readWords } from './words/read-words.js'

const MAX_ENTRIES = 10_000

/** Of one chapter and of all, uncompressed: what is more is no book. */
const MAX_CHAPTER_BYTES = 16 * 1024 * 1024
const MAX_BOOK_BYTES = 64 * 1024 * 1024

const CHAPTER = /\.x?html?$/i

/** What counts the bytes of all chapters, also of those that say nothing. */
type Book = { bytes: number }

async function* counted(bytes: AsyncIterable<Uint8Array>, book: Book): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    book.bytes += chunk.length
    if (size > MAX_CHAPTER_BYTES) throw fail('invalid', `A chapter has more than ${MAX_CHAPTER_BYTES} bytes`)
    if (book.bytes > MAX_BOOK_BYTES) throw fail('invalid', `The book has more than ${MAX_BOOK_BYTES} bytes`)
    yield chunk
  }
}

/** Unpacks the chapters, in the order of the archive. @returns how many. */
const unpack = (
  input: string,
  { to, signal }: { to: (at: number) => string; signal?: AbortSignal | undefined },
): Promise<number> =>
  withZip(input, MAX_ENTRIES, async (entries) => {
    const book = { bytes: 0 }
    let chapters = 0
    for (const entry of entries) {
      if (!CHAPTER.test(entry.name)) continue
      await pipeline(counted(await entry.open(), book), createWriteStream(to(chapters++)), { signal })
    }
    return chapters
  })

/** The text of an EPUB's chapters, in the order of its archive. */
export const createEpubEngine =
  ({ tools, timeoutMs }: ToolEngineOptions): Engine =>
  async ({ input, folder, signal }) => {
    const path = join(folder, 'book.txt')
    try {
      const place = join(folder, 'chapter-')
      const chapters = await unpack(input, { to: (at) => `${place}${at}`, signal })
      await readWords({ input: place, chapters, output: path }, { folder, tools, timeoutMs, signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw isArchivoltError(error)
        ? error
        : fail('conversionFailed', 'The book cannot be read', { cause: error })
    }
    return { path, mimeType: 'text/plain', encoding: 'UTF-8' }
  }
