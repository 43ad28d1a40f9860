import { mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { lookup } from 'mime-types'
import { fail } from '../../../platform/errors/index.js'
import { runCommand } from '../command-lines/run-command.js'
import type { Tools } from '../tools/tools.js'
import type { Engine } from './engine.js'

export type ToolEngineOptions = {
  tools: Tools
  timeoutMs: number
  /** Whether what cannot be trusted runs without a sandbox, too. */
  allowsUnconfined: boolean
}

/** The name of a file that a caller wants, without any folder. */
const targetName = (asked: string | undefined): string => {
  const name = basename((asked ?? '').trim().replaceAll('\\', '/'))
  if (name === '' || name === '.' || name === '..') return 'result'
  if (name.startsWith('-') || /\p{Cc}|:/u.test(name))
    throw fail('badRequest', `targetFileName: ${JSON.stringify(asked)} is not possible as the name of a file`)
  return name
}

/** A contributed command line: it writes `targetFilePath`, or one file into `outDirPath` (blobs-conversions.md §3). */
export const createCommandEngine =
  (options: ToolEngineOptions): Engine =>
  async ({ input, folder, command, parameters, destinationMimeType, signal }) => {
    if (!command) throw fail('internal', 'The converter has no command line')
    const outDirPath = join(folder, 'out')
    await mkdir(outDirPath)
    const targetFilePath = join(outDirPath, targetName(parameters.targetFileName))
    const own = { sourceFilePath: input, outDirPath, targetFilePath }
    await runCommand({ ...options, command, own, given: parameters, folder, signal })
    const written = await readdir(outDirPath)
    const [only] = written
    if (only === undefined || written.length > 1)
      throw fail('conversionFailed', `${command.name} wrote ${written.length} files instead of one`)
    return {
      path: join(outDirPath, only),
      mimeType: destinationMimeType ?? (lookup(only) || 'application/octet-stream'),
    }
  }
