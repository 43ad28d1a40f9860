import { randomUUID } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandLine } from '../../command-lines/command-line.js'
import { runCommand } from '../../command-lines/run-command.js'
import { removeFolder, requireFile } from '../../temp-folder.js'
import type { ToolEngineOptions } from '../command.js'
import type { EngineJob, EngineOutput } from '../engine.js'
import { videoExtensionOf } from './video-containers.js'
import type { VideoParameter } from './video-parameters.js'
import { planVideoSize, readProgress, type VideoProbe } from './video-plan.js'

/**
 * A film by the command line of a contributed converter, in a folder of its own whose name begins as the contribution
 * says (blobs-conversions.md §5, generic converter). Parameters of the contribution are checked when it is deployed.
 */
export const convertByCommand = async (
  { input, folder, parameters, signal, onProgress }: EngineJob,
  { command, probe, ...options }: ToolEngineOptions & { command: CommandLine; probe: VideoProbe },
): Promise<EngineOutput> => {
  const said = (name: VideoParameter) => parameters[name] ?? ''
  const extension = videoExtensionOf(said('videoExtension')) ?? 'mp4'
  const place = join(folder, `${said('tmpDirectoryPrefix')}_${randomUUID()}`)
  await mkdir(place)
  try {
    const { width, height } = planVideoSize(probe, parameters)
    const [inFilePath, outFilePath] = [join(place, 'source'), join(place, `film.${extension}`)]
    await rename(input, inFilePath)
    await runCommand({
      ...options,
      ...{ command, signal, folder: place, given: parameters },
      own: { inFilePath, outFilePath, width: String(width), height: String(height) },
      onOutput: (text) => {
        const fraction = readProgress(text, probe.durationSeconds)
        if (fraction !== null) onProgress?.(fraction)
      },
    })
    await requireFile(outFilePath)
    const path = join(folder, 'video')
    await rename(outFilePath, path)
    return { path, mimeType: said('videoMimeType'), extension }
  } finally {
    await removeFolder(place)
  }
}
