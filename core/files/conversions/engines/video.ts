import { join } from 'node:path'
import { requireTool } from '../tools/require-tool.js'
import { runTool } from '../tools/run-tool.js'
import type { Engine } from './engine.js'
import type { ToolEngineOptions } from './pdf.js'
import { inputGuards, planVideoArguments, planVideoSize, readProgress } from './video-plan.js'
import { parseProbe } from './video-probe.js'

/** Films by ffmpeg, scaled to the parameter `height`. */
export const createVideoEngine =
  ({ tools, timeoutMs }: ToolEngineOptions): Engine =>
  async ({ input, folder, destinationMimeType, parameters, signal, onProgress }) => {
    const run = { folder, tools, timeoutMs, signal }
    const probe = parseProbe(
      await runTool({
        ...run,
        command: requireTool(tools, 'ffprobe'),
        args: ['-v', 'error', ...inputGuards, '-show_streams', '-show_format', '-of', 'json', input],
      }),
    )
    const output = join(folder, 'video')
    const size = planVideoSize(probe, parameters)
    await runTool({
      ...run,
      command: requireTool(tools, 'ffmpeg'),
      args: planVideoArguments({ input, output, ...size, destinationMimeType }),
      onOutput: (text) => {
        const fraction = readProgress(text, probe.durationSeconds)
        if (fraction !== null) onProgress?.(fraction)
      },
    })
    return { path: output, mimeType: destinationMimeType ?? 'video/mp4' }
  }
