import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ZipEntry = {
  /** With `/` between folders; a name that ends with it is a folder. */
  name: string
  /** Bytes of the content; 0 is never opened, an entry beyond 4 GiB is written in the larger form (Zip64). */
  length: number
  open(): Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>
}

/** The earliest date of the format, in every zone: the same content makes the same archive. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** Deflate makes random bytes a little longer. */
const MAX_SMALL = 0xffffffff - 16 * 1024 * 1024

/**
 * The bytes of a zip archive, entry after entry, each opened when it is written: memory stays flat whatever
 * the size. Names are those of the entries; the caller makes them unique.
 */
export async function* zipOf(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | undefined
  const fail = (error: Error): void => {
    output.destroy(error)
  }
  zip.on('error', fail)
  const add = ({ name, length, open }: ZipEntry): void => {
    if (name.endsWith('/')) zip.addEmptyDirectory(name, OPTIONS)
    else if (length === 0) zip.addBuffer(Buffer.alloc(0), name, { ...OPTIONS, compress: false })
    else
      zip.addReadStreamLazy(name, { ...OPTIONS, forceZip64Format: length > MAX_SMALL }, async (opened) => {
        try {
          source = Readable.from(await open(), { objectMode: false }).on('error', fail)
          opened(null, source)
        } catch (error) {
          fail(error as Error)
        }
      })
  }
  const feeding = (async () => {
    for await (const entry of entries) add(entry)
    zip.end()
  })().catch(fail)
  try {
    yield* output as AsyncIterable<Uint8Array>
    await feeding
  } finally {
    source?.destroy()
  }
}
