import { mkdir, open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../platform/errors/index.js'
import { isRaw } from '../../blobs/index.js'
import { guardedEnvironment } from '../command-lines/guards.js'
import { requireTool } from '../tools/require-tool.js'
import { runTool } from '../tools/run-tool.js'
import type { ToolName, Tools } from '../tools/tools.js'

/** Formats that ImageMagick reads and libvips does not, by its names of them. */
const CODERS: readonly (readonly [coder: string, head: RegExp])[] = [
  ['PSD', /^8BPS/],
  ['BMP', /^BM/],
  ['HEIC', /^[\s\S]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/],
  ['JP2', /^(?:\0\0\0[\s\S]jP {2}|\xff\x4f\xff\x51)/],
  ['ICO', /^\0\0[^\0]\0/],
  ['XCF', /^gimp xcf/],
  ['PNM', /^P[1-6]\s/],
]

const HEAD_BYTES = 16

const headOf = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

export type Reading = {
  /** Absolute path of a private copy in `folder`, which is replaced. */
  input: string
  mimeType: string
  folder: string
  tools: Tools
  timeoutMs: number
  signal?: AbortSignal | undefined
}

const run = async (
  tool: ToolName,
  args: readonly string[],
  { folder, tools, timeoutMs, signal }: Reading,
): Promise<void> => {
  const env = await guardedEnvironment(tool, folder)
  await runTool({ command: requireTool(tools, tool), args, folder, tools, timeoutMs, signal, env })
}

/** Pixels and colour profile alone: what a camera says of its orientation is done already. */
const decoded = async (coder: string, reading: Reading): Promise<void> => {
  const { input, folder } = reading
  const output = join(folder, 'decoded.png')
  await run('convert', [`${coder}:${input}[0]`, '+profile', '!icc,*', `PNG:${output}`], reading)
  await rename(output, input)
}

const PREVIEWS = ['JpgFromRaw', 'PreviewImage', 'OtherImage', 'ThumbnailImage'].map((tag) => `-${tag}`)

/** The largest picture that the camera has put into a raw photo, standing as the photo does. */
const preview = async (reading: Reading): Promise<void> => {
  const { input, folder } = reading
  const found = join(folder, 'previews')
  await mkdir(found)
  await run('exiftool', ['-q', '-q', '-b', '-W', join(found, '%t.%s'), ...PREVIEWS, '--', input], reading)
  const names = (await readdir(found)).filter((name) => name.endsWith('.jpg'))
  const sized = await Promise.all(
    names.map(async (name) => ({ path: join(found, name), size: (await stat(join(found, name))).size })),
  )
  const [largest] = sized.sort((a, b) => b.size - a.size)
  if (!largest) throw fail('conversionFailed', 'The raw photo has no preview that could be shown')
  const { path } = largest
  await run(
    'exiftool',
    ['-q', '-m', '-overwrite_original', '-tagsFromFile', input, '-Orientation', path],
    reading,
  )
  await rename(path, input)
}

/**
 * Puts a picture that libvips reads in the place of one that it does not: raw photos, PSD, HEIC, JPEG 2000, BMP, icons.
 * Others stay as they are.
 *
 * @throws conversionFailed for a file that cannot be read, or a raw photo without a preview; unavailable without the program.
 */
export const makeReadable = async (reading: Reading): Promise<void> => {
  if (isRaw(reading.mimeType)) return preview(reading)
  const head = await headOf(reading.input)
  const coder = CODERS.find(([, magic]) => magic.test(head))?.[0]
  if (coder !== undefined) await decoded(coder, reading)
}
