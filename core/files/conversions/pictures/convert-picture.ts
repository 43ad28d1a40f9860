import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { fail } from '../../../platform/errors/index.js'
import type { ImageFormat, ImagePlan } from '../engines/image-plan.js'
import type { Kind } from '../sanitiser/kind.js'
import { runTool } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'
import { withoutPaths } from '../tools/without-paths.js'
import type { PictureJob } from './picture-job.js'

const ENTRY = fileURLToPath(new URL('./child.mjs', import.meta.url))
const SHARP = createRequire(import.meta.url).resolve('sharp')

/** The folder of all packages, for sharp loads others; they are no secret. */
const PACKAGES = SHARP.slice(0, SHARP.indexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length)
const READABLE = [dirname(ENTRY), PACKAGES, process.execPath]

/** Measured with 12 megapixels of RGBA on 2 cores (36 for AVIF, 15 for WebP, 11 for GIF, 7 for JPEG), and some room. */
const BYTES_PER_PIXEL: Record<ImageFormat, number> = {
  png: 8,
  jpeg: 12,
  tiff: 8,
  gif: 16,
  webp: 24,
  avif: 48,
}

/** What the process needs beside the picture: Node, libvips and its threads. */
const BASE_BYTES = 512 * 1024 ** 2

const RASTER_LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map(
  (name) => `VipsForeignLoad${name}`,
)

const replySchema = z.union([
  z.object({ isDone: z.literal(true) }),
  z.object({ refused: z.string() }),
  z.object({ error: z.string() }),
])

export type PictureConversion = {
  plan: ImagePlan
  /** What the file is; SVG is sanitised already. */
  kind: Kind
  /** Absolute paths, both in `folder`. */
  input: string
  output: string
  folder: string
  tools: Tools
  timeoutMs: number
  signal?: AbortSignal
}

/**
 * Converts a picture in a process of its own. Fails with `invalid` for a picture that is too large for the memory,
 * `operationFailed` for one that cannot be read, `timeout`; throws the signal's reason when aborted.
 */
export const convertPicture = async (conversion: PictureConversion): Promise<void> => {
  const { plan, kind, input, output, folder, tools, timeoutMs, signal } = conversion
  const { format, resize, depth } = plan
  const job: PictureJob = {
    ...{ format, resize, depth, input, output },
    loaders: kind === 'svg' ? ['VipsForeignLoadSvg'] : RASTER_LOADERS,
    memoryBytes: Math.max(0, tools.memoryBytes - BASE_BYTES),
    bytesPerPixel: BYTES_PER_PIXEL[format],
  }
  const answer = await runTool({
    command: process.execPath,
    args: [ENTRY, pathToFileURL(SHARP).href, JSON.stringify(job)],
    ...{ folder, tools, timeoutMs, signal, readable: READABLE },
    name: 'The picture process',
  })
  const reply = replySchema.safeParse(parsed(answer)).data
  if (!reply) throw fail('operationFailed', 'The picture cannot be converted: its process ended early')
  if ('refused' in reply) throw fail('invalid', `The picture is too large: ${reply.refused}`)
  if ('error' in reply)
    throw fail('operationFailed', `The picture cannot be converted: ${withoutPaths(reply.error, folder)}`)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Cut short: the caller reports it.
    return undefined
  }
}
