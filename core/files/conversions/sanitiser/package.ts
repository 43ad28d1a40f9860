import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { withZip, type ZipEntry, zipOf } from '../../../platform/archives/index.js'
import { fail } from '../../../platform/errors/index.js'
import { firstOf, HEAD_BYTES } from './head.js'
import { charsetOf, kindOf } from './kind.js'
import { cleanSvgText } from './svg.js'

const MAX_ENTRIES = 20_000

/** Of one drawing and of all that is in a package that holds one, unpacked. */
const MAX_DRAWING_BYTES = 64 * 1024 ** 2
const MAX_BYTES = 1024 ** 3

/** What takes the place of a drawing that cannot be read. */
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const isDrawing = async (entry: ZipEntry): Promise<boolean> => {
  if (entry.length === 0 || entry.name.endsWith('/')) return false
  const kind = kindOf(await firstOf(await entry.open(), HEAD_BYTES))
  if (kind === 'longProlog')
    throw fail('invalid', `A part of the document has no element within its first ${HEAD_BYTES} bytes`)
  return kind === 'svg'
}

const cleanEntry = (entry: ZipEntry): ZipEntry => ({
  ...entry,
  open: async () => {
    const bytes = await buffer(await entry.open())
    const text = new TextDecoder(charsetOf(bytes)).decode(bytes)
    return Readable.from([Buffer.from(cleanSvgText(text, 1) ?? EMPTY)])
  },
})

/**
 * Sanitises the drawings inside an office document, a zip archive of which nothing else changes. Fails with
 * `invalid` for one that is too large to be written again.
 *
 * @param input a private copy, which is replaced where there is a drawing.
 */
export const sanitisePackage = (input: string, signal?: AbortSignal): Promise<void> =>
  withZip(input, MAX_ENTRIES, async (entries) => {
    const drawings = new Set<ZipEntry>()
    for (const entry of entries) if (await isDrawing(entry)) drawings.add(entry)
    if (drawings.size === 0) return
    const tooLarge = [...drawings].find(({ length }) => length > MAX_DRAWING_BYTES)
    if (tooLarge || entries.reduce((sum, { length }) => sum + length, 0) > MAX_BYTES)
      throw fail('invalid', 'The document is too large for its drawings to be checked')
    const clean = entries.map((entry) => (drawings.has(entry) ? cleanEntry(entry) : entry))
    await pipeline(zipOf(clean), createWriteStream(`${input}.clean`), { signal })
    await rename(`${input}.clean`, input)
  })
