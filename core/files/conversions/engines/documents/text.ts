import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../../../platform/errors/index.js'
import type { Engine } from '../engine.js'

/** Plain text to an HTML page, and text of any charset to UTF-8. Memory stays flat. */
export const createTextEngine =
  (): Engine =>
  async ({ input, sourceEncoding, destinationMimeType, folder, signal }) => {
    const isHtml = destinationMimeType === 'text/html'
    const path = join(folder, isHtml ? 'page.html' : 'text.txt')
    const text = decode(createReadStream(input), sourceEncoding)
    await pipeline(isHtml ? htmlPage(text) : text, createWriteStream(path), { signal })
    return { path, mimeType: destinationMimeType ?? 'text/plain', encoding: 'UTF-8' }
  }

/** Writes a text of another charset as UTF-8 in its place, for programs that would have to guess. */
export const rewriteAsUtf8 = async (path: string, encoding: string): Promise<void> => {
  await pipeline(decode(createReadStream(path), encoding), createWriteStream(`${path}.utf8`))
  await rename(`${path}.utf8`, path)
}

export const isUtf8 = (encoding: string | null): boolean => !encoding || /^utf-?8$/i.test(encoding)

/** The text of bytes in a charset, UTF-8 by default, without byte order mark. */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | null,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding ?? 'utf-8')
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

const createDecoder = (encoding: string) => {
  try {
    return new TextDecoder(encoding)
  } catch (cause) {
    throw fail('conversionFailed', `The charset ${JSON.stringify(encoding)} is not known`, { cause })
  }
}

const PAGE_START = `<!DOCTYPE html>
<html>
<head><meta charset="utf-8"></head>
<body><pre style="white-space: pre-wrap">`

async function* htmlPage(text: AsyncIterable<string>): AsyncGenerator<string> {
  yield PAGE_START
  for await (const part of text) yield escapeHtml(part)
  yield '</pre></body>\n</html>\n'
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escapeHtml = (text: string): string => text.replace(/[&<>]/g, (char) => escapes[char]!)
