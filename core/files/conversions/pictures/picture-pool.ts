import { availableParallelism } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ImageFormat, ImagePlan } from '../engines/images/image-plan.js'
import type { Kind } from '../sanitiser/kind.js'
import { entryOf, nodeReadable } from '../tools/node-program.js'
import { createSlots, type SlotRequest } from '../tools/slots.js'
import type { Tools } from '../tools/tools.js'
import { createWarmPool } from '../warm/warm-pool.js'
import { startWarmProcess, type WarmJob } from '../warm/warm-process.js'
import type { PictureJob } from './picture-job.js'

const MAX_PROCESSES = 4
const RECYCLE_AFTER = 200
const START_TIMEOUT_MS = 60_000

/**
 * Part of the time limit that a drawing has, and of the processes that drawings have: their filters may take for ever,
 * while other pictures end by their size, and do not wait for them.
 */
const SVG_PART = { time: 1 / 4, processes: 1 / 2 }

const ENTRY = fileURLToPath(new URL('./child.mjs', import.meta.url))
const READABLE = nodeReadable(ENTRY, 'sharp')

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

export type PicturePool = {
  /**
   * Converts a picture; the paths are absolute, SVG is sanitised already. Fails with `invalid` for a picture that is
   * too large for the memory, `conversionFailed` for one that cannot be read, `timeout`; throws the signal's reason
   * when aborted.
   */
  convert(
    picture: WarmJob & { plan: ImagePlan; kind: Kind } & Pick<PictureJob, 'views'>,
    request: SlotRequest,
  ): Promise<void>
  /** Kills all processes; pictures that are converted fail. */
  close(): Promise<void>
}

/** Processes in which pictures are converted: as many as there are cores, some 70 MiB each, four at most. */
export const createPicturePool = ({
  tools,
  tempFolder,
  timeoutMs,
}: {
  tools: Tools
  tempFolder: string
  timeoutMs: number
}): PicturePool => {
  const size = Math.min(MAX_PROCESSES, availableParallelism())
  const drawings = createSlots(Math.max(1, Math.floor(size * SVG_PART.processes)))
  const pool = createWarmPool<PictureJob>({
    size,
    recycleAfter: RECYCLE_AFTER,
    timeoutMs,
    start: ({ signal }) =>
      startWarmProcess({
        name: 'The picture process',
        ...{ tools, tempFolder, startTimeoutMs: START_TIMEOUT_MS, signal },
        prepare: async () => ({
          command: process.execPath,
          args: [ENTRY, pathToFileURL(entryOf('sharp')).href],
          readable: READABLE,
        }),
      }),
  })
  return {
    convert: async ({ plan: { mimeType: _, ...plan }, kind, input, output, views }, request) => {
      const job = {
        ...{ input, output, ...plan },
        ...(views && { views }),
        loaders: kind === 'svg' ? ['VipsForeignLoadSvg'] : RASTER_LOADERS,
        memoryBytes: Math.max(0, tools.memoryBytes - BASE_BYTES),
        bytesPerPixel: BYTES_PER_PIXEL[plan.format],
      }
      if (kind !== 'svg') return pool.convert(job, request)
      const release = await drawings.acquire(request)
      try {
        await pool.convert(job, { ...request, timeoutMs: timeoutMs * SVG_PART.time })
      } finally {
        release()
      }
    },
    close: pool.close,
  }
}
