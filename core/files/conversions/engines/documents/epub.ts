import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withZip } from '../../../../platform/archives/index.js'
import { fail, isArchivoltError } from '../../../../platform/errors/index.js'
import type { Engine } from '../engine.js'
import { textOfMarkup } from './markup.js'

const MAX_ENTRIES = 10_000

/** Of one chapter and of all, uncompressed: what is more is no book. */
const MAX_CHAPTER_BYTES = 16 * 1024 * 1024
const MAX_BOOK_BYTES = 64 * 1024 * 1024

const CHAPTER = /\.x?html?$/i

/** What counts the bytes of all chapters, also of those that say nothing. */
type Book = { bytes: number }

const chapterText = async (bytes: AsyncIterable<Uint8Array>, book: Book): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    book.bytes += chunk.length
    if (size > MAX_CHAPTER_BYTES) throw fail('invalid', `A chapter has more than ${MAX_CHAPTER_BYTES} bytes`)
    if (book.bytes > MAX_BOOK_BYTES) throw fail('invalid', `The book has more than ${MAX_BOOK_BYTES} bytes`)
    chunks.push(chunk)
  }
  return textOfMarkup(Buffer.concat(chunks).toString('utf8'))
}

const write = (input: string, path: string): Promise<void> =>
  withZip(input, MAX_ENTRIES, async (entries) => {
    const book = { bytes: 0 }
    for (const entry of entries) {
      if (!CHAPTER.test(entry.name)) continue
      const text = await chapterText(await entry.open(), book)
      await appendFile(path, `${text}\n\n`)
    }
  })

/** The text of an EPUB's chapters, in the order of its archive. */
export const createEpubEngine =
  (): Engine =>
  async ({ input, folder, signal }) => {
    const path = join(folder, 'book.txt')
    try {
      await writeFile(path, '')
      await write(input, path)
    } catch (error) {
      signal?.throwIfAborted()
      throw isArchivoltError(error)
        ? error
        : fail('conversionFailed', 'The book cannot be read', { cause: error })
    }
    return { path, mimeType: 'text/plain', encoding: 'UTF-8' }
  }
