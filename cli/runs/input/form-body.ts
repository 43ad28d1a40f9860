import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import mime from 'mime-types'

/** As browsers write names into a form's headers (HTML standard, multipart/form-data encoding). */
const escapeName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const partHead = (field: string, path?: string): string => {
  const name = `Content-Disposition: form-data; name="${escapeName(field)}"`
  if (path === undefined) return `${name}\r\n\r\n`
  const type = mime.lookup(path) || 'application/octet-stream'
  return `${name}; filename="${escapeName(basename(path))}"\r\nContent-Type: ${type}\r\n\r\n`
}

const fieldOf = (index: number, count: number): string => (count === 1 ? 'input' : `input#${index}`)

async function* encode(json: string, files: readonly string[], boundary: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`--${boundary}\r\n${partHead('params')}${json}`)
  for (const [index, path] of files.entries()) {
    yield Buffer.from(`\r\n--${boundary}\r\n${partHead(fieldOf(index, files.length), path)}`)
    yield* createReadStream(path)
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

/**
 * A form with the JSON of a call first and its files after it (reference: automation.md §3). Files are read while they are
 * sent; Node's `FormData` and `Readable.toWeb` would read ahead until they hold all of them.
 */
export const formBody = (
  json: string,
  files: readonly string[],
): { body: ReadableStream; headers: { [name: string]: string } } => {
  const boundary = `archivolt-${randomUUID()}`
  return {
    body: ReadableStream.from(encode(json, files, boundary)),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
