import { join } from 'node:path'
import { requireTool } from '../../tools/require-tool.js'
import { runTool, type ToolRun } from '../../tools/run-tool.js'
import type { ToolEngineOptions } from '../command.js'
import type { Engine } from '../engine.js'
import { inputGuards } from '../input-guards.js'
import { convertByCommand } from './generic-video.js'
import { planVideoArguments, planVideoSize, readProgress } from './video-plan.js'
import { parseProbe } from './video-probe.js'

/** ffprobe's description of a film, as JSON. */
export const describeFilm = (
  input: string,
  run: Pick<ToolRun, 'folder' | 'tools' | 'timeoutMs' | 'signal'>,
): Promise<string> =>
  runTool({
    ...run,
    command: requireTool(run.tools, 'ffprobe'),
    args: ['-v', 'error', ...inputGuards, '-show_streams', '-show_format', '-of', 'json', input],
  })

/** Films by ffmpeg, scaled to the parameter `height`: by a contributed command line, else as MP4 or WebM. */
export const createVideoEngine =
  (options: ToolEngineOptions): Engine =>
  async (job) => {
    const { input, folder, destinationMimeType, parameters, signal, onProgress, command } = job
    const { tools, timeoutMs } = options
    const run = { folder, tools, timeoutMs, signal }
    const probe = parseProbe(await describeFilm(input, run))
    if (command) return convertByCommand(job, { ...options, command, probe })
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
