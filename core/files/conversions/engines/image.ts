import { join } from 'node:path'
import sharp from 'sharp'
import { fail } from '../../../platform/errors/index.js'
import type { Engine } from './engine.js'
import { planImage } from './image-plan.js'

/** Pixels of a decoded picture; a few compressed kilobytes can claim far more. */
const MAX_PIXELS = 268_402_689

/** Pictures by sharp, in threads of this process. A running picture ends at its time limit rather than at an abort. */
export const createImageEngine =
  ({ timeoutMs }: { timeoutMs: number }): Engine =>
  async ({ input, folder, signal, ...job }) => {
    const { mimeType, format, resize, depth } = planImage(job)
    const path = join(folder, `picture.${format}`)
    signal?.throwIfAborted()
    // Turned as its EXIF orientation says, for that tag does not survive; the colour profile does.
    const picture = sharp(input, { limitInputPixels: MAX_PIXELS, autoOrient: true })
      .keepIccProfile()
      .timeout({ seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) })
    if (resize) picture.resize(resize)
    if (depth === 16) picture.toColourspace('rgb16')
    if (format === 'jpeg') picture.flatten({ background: 'white' })
    await picture
      .toFormat(format)
      .toFile(path)
      .catch((cause: Error) => {
        throw fail('operationFailed', `The picture cannot be converted: ${cause.message}`, { cause })
      })
    signal?.throwIfAborted()
    return { path, mimeType }
  }
