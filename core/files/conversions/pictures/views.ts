import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ToolEngineOptions } from '../engines/documents/pdf.js'
import { planImage } from '../engines/images/image-plan.js'
import { sanitise } from '../sanitiser/sanitise.js'
import { requireFile } from '../temp-folder.js'
import type { SlotRequest } from '../tools/slots.js'
import type { PicturePool } from './picture-pool.js'
import { makeReadable } from './readable.js'

export type ViewsJob = SlotRequest & {
  /** Absolute path of a private copy in `folder`, which may be replaced. */
  input: string
  folder: string
  mimeType: string
  encoding: string | null
  /** Pixels of the longer side of each; undefined: as large as the picture. */
  maxSizes: readonly (number | undefined)[]
}

/** A JPEG of 8 bits a channel. */
export type ViewFile = { path: string; width: number; height: number; colorSpace: string }

const side = z.number().int().min(1)

// The process has read a hostile file.
const described = z.array(z.object({ width: side, height: side, channels: side }))

/** Views of one picture, of one decoding of it. Fails as conversions do. */
export const makeViews = async (
  { input, folder, mimeType, encoding, maxSizes, owner, signal }: ViewsJob,
  { pool, ...options }: ToolEngineOptions & { pool: PicturePool },
): Promise<ViewFile[]> => {
  const plan = planImage({ sourceMimeType: mimeType, destinationMimeType: 'image/jpeg', parameters: {} })
  const kind = await sanitise({ input, mimeType, encoding, owner, signal })
  await makeReadable({ input, mimeType, folder, signal, ...options })
  const output = join(folder, 'views')
  const views = maxSizes.map((maxSize) => maxSize ?? null)
  await pool.convert({ plan, kind, input, output, views }, { owner, signal })
  await requireFile(join(output, 'views.json'))
  const sizes = described
    .length(views.length)
    .parse(JSON.parse(await readFile(join(output, 'views.json'), 'utf8')))
  return sizes.map(({ width, height, channels }, index) => ({
    ...{ path: join(output, `${index}.jpg`), width, height },
    colorSpace: channels === 1 ? 'Gray' : 'sRGB',
  }))
}
