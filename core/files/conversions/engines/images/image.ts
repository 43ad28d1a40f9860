import { join } from 'node:path'
import type { PicturePool } from '../../pictures/picture-pool.js'
import { makeReadable } from '../../pictures/readable.js'
import { sanitise } from '../../sanitiser/sanitise.js'
import type { ToolEngineOptions } from '../documents/pdf.js'
import type { Engine } from '../engine.js'
import { planImage } from './image-plan.js'

/** Pictures by sharp, in processes of their own; what it does not read is decoded by another program first. */
export const createImageEngine =
  (pool: PicturePool, options: ToolEngineOptions): Engine =>
  async ({ input, folder, signal, owner, sourceEncoding, ...job }) => {
    const plan = planImage(job)
    const output = join(folder, `picture.${plan.format}`)
    const file = { input, mimeType: job.sourceMimeType }
    const kind = await sanitise({ ...file, encoding: sourceEncoding, owner, signal })
    await makeReadable({ ...file, folder, signal, ...options })
    await pool.convert({ plan, kind, input, output }, { owner, signal })
    return { path: output, mimeType: plan.mimeType }
  }
