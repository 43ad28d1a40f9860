import { createWriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { withZip, type ZipEntry, zipOf } from '../../../platform/archives/index.js'
import { fail } from '../../../platform/errors/index.js'
import { piecesOf } from './cleaner.js'
import { HEAD_BYTES } from './head.js'
import { charsetOf, kindOf } from './kind.js'
import { createSvgCleaner } from './svg.js'
import { MAX_ENTRIES, requireBounded } from './unpacked-size.js'

/** Of one drawing, unpacked: while it is cleaned it takes ten times as much. */
const MAX_DRAWING_BYTES = 16 * 1024 ** 2

/** What takes the place of a drawing that cannot be read. */
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const isDrawing = (head: Buffer): boolean => {
  const kind = kindOf(head)
  if (kind === 'longProlog')
    throw fail('invalid', `A part of the document has no element within its first ${HEAD_BYTES} bytes`)
  return kind === 'svg'
}

/** Piece by piece: others have their turn between two. */
const cleanDrawing = async (text: string, signal?: AbortSignal): Promise<string> => {
  const cleaner = createSvgCleaner(1)
  let clean = ''
  try {
    for (const piece of piecesOf(text)) {
      clean += cleaner.write(piece)
      if (clean.length > MAX_DRAWING_BYTES) return EMPTY
      await setImmediate(undefined, { signal })
    }
    return clean + cleaner.end()
  } catch {
    signal?.throwIfAborted()
    // What no reader shows is left out.
    return EMPTY
  }
}

const cleanEntry = (entry: ZipEntry, signal?: AbortSignal): ZipEntry => ({
  ...entry,
  open: async () => {
    const bytes = await buffer(await entry.open())
    const text = new TextDecoder(charsetOf(bytes)).decode(bytes)
    return Readable.from([Buffer.from(await cleanDrawing(text, signal))])
  },
})

/**
 * Sanitises the drawings inside an office document, a zip archive of which nothing else changes. Fails with
 * `invalid` for one that unpacks to too much, or whose drawings are too large to be checked.
 *
 * @param input a private copy, which is replaced where there is a drawing.
 */
export const sanitisePackage = (input: string, signal?: AbortSignal): Promise<void> =>
  withZip(input, MAX_ENTRIES, async (entries) => {
    const heads = await requireBounded(entries, (await stat(input)).size)
    const drawings = new Set<ZipEntry>(
      entries.filter((entry) => isDrawing(heads.get(entry) ?? Buffer.alloc(0))),
    )
    if (drawings.size === 0) return
    const tooLarge = [...drawings].find(({ length }) => length > MAX_DRAWING_BYTES)
    if (tooLarge) throw fail('invalid', 'The document is too large for its drawings to be checked')
    const clean = entries.map((entry) => (drawings.has(entry) ? cleanEntry(entry, signal) : entry))
    await pipeline(zipOf(clean), createWriteStream(`${input}.clean`), { signal })
    await rename(`${input}.clean`, input)
  })
