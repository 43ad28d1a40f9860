import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { convertPicture } from '../pictures/convert-picture.js'
import { sanitise } from '../sanitiser/sanitise.js'
import { createSlots } from '../tools/slots.js'
import type { Engine } from './engine.js'
import { planImage } from './image-plan.js'
import type { ToolEngineOptions } from './pdf.js'

/** Pictures by sharp, each in a process of its own, as many at once as there are cores. */
export const createImageEngine = ({ tools, timeoutMs }: ToolEngineOptions): Engine => {
  const slots = createSlots(availableParallelism())
  return async ({ input, folder, signal, sourceEncoding, ...job }) => {
    const plan = planImage(job)
    const output = join(folder, `picture.${plan.format}`)
    const kind = await sanitise({ input, mimeType: job.sourceMimeType, encoding: sourceEncoding, signal })
    const release = await slots.acquire(signal)
    try {
      await convertPicture({ plan, kind, input, output, folder, tools, timeoutMs, signal })
    } finally {
      release()
    }
    return { path: output, mimeType: plan.mimeType }
  }
}
