import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliError, EXIT } from '../../failures/index.js'
import type { Terminal } from '../../terminal/index.js'
import { fileNameOf } from './file-name.js'
import { readMultipart } from './multipart.js'

type Bytes = AsyncIterable<Uint8Array>

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const failed = (path: string, cause: unknown): CliError => {
  const reason = cause instanceof Error ? cause.message : cause
  return new CliError(EXIT.usage, `${path} could not be written whole: ${reason}`, { cause })
}

const writeFile = async (bytes: Bytes, path: string): Promise<void> => {
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path))
  } catch (cause) {
    throw failed(path, cause)
  }
}

/**
 * Saves a blob as it arrives, to a file, into a folder under its own name, or with `-` to the standard output.
 *
 * @returns where it was saved; undefined for the standard output.
 */
export const saveBlob = async (
  { headers, body }: { headers: { get(name: string): string | null | undefined }; body: Bytes },
  { output, terminal }: { output: string; terminal: Terminal },
): Promise<string | undefined> => {
  if (output === '-') {
    await pipeline(Readable.from(body, { objectMode: false }), terminal.stdout, { end: false })
    return undefined
  }
  const path = (await isFolder(output))
    ? join(output, fileNameOf(headers.get('content-disposition')))
    : output
  await writeFile(body, path)
  return path
}

/** A name that no other part has: `a.pdf`, `a-2.pdf`. */
const freeName = (name: string, taken: Set<string>): string => {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${stem}-${count}${extension}`
  taken.add(free)
  return free
}

/** Saves every part of a list of blobs into a folder, which is created when it is missing. */
export const saveBlobs = async (body: Bytes, contentType: string, folder: string): Promise<string[]> => {
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    throw failed(folder, cause)
  }
  const taken = new Set<string>()
  const paths: string[] = []
  for await (const part of readMultipart(body, contentType)) {
    const path = join(folder, freeName(fileNameOf(part.headers.get('content-disposition')), taken))
    await writeFile(part.body, path)
    paths.push(path)
  }
  return paths
}
