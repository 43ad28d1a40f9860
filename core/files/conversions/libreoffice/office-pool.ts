import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireTool } from '../tools/require-tool.js'
import type { Tools } from '../tools/tools.js'
import { createWarmPool, type WarmPool } from '../warm/warm-pool.js'
import { type Limits, startWarmProcess, type WarmProcess } from '../warm/warm-process.js'
import { convertCold } from './cold.js'
import { convertScript } from './convert-script.js'
import type { OfficeJob } from './office-job.js'
import { createProfile } from './profile.js'
import { findUnoPython } from './python.js'

export type OfficePoolOptions = {
  tools: Tools
  tempFolder: string
  /** LibreOffice processes at most, some 150 MiB each. */
  instances: number
  /** Conversions after which an instance is replaced, as LibreOffice leaks. */
  recycleAfter: number
  /** For one document. */
  timeoutMs: number
  /** For an instance to come up. */
  startTimeoutMs: number
}

export type OfficePool = WarmPool<OfficeJob>

/** LibreOffice processes that are kept warm; one for each document where no Python with `uno` is installed. */
export const createOfficePool = (options: OfficePoolOptions): OfficePool => {
  const { tools, instances: size, recycleAfter, timeoutMs } = options
  let python: Promise<string | null> | undefined

  // Looked for once, but a look-up that failed (a full disk, say) is not remembered.
  const unoPython = () => {
    python ??= findUnoPython(options).catch((error) => {
      python = undefined
      throw error
    })
    return python
  }

  return createWarmPool<OfficeJob>({
    size,
    recycleAfter,
    timeoutMs,
    start: async (limits) => {
      const command = await unoPython()
      const soffice = requireTool(tools, 'soffice')
      return command ? startInstance({ command, soffice }, options, limits) : coldInstance(soffice, options)
    },
  })
}

/** A LibreOffice with a profile of its own, driven by a Python program; ready in one to two seconds. */
const startInstance = (
  { command, soffice }: { command: string; soffice: string },
  { tools, tempFolder, startTimeoutMs }: OfficePoolOptions,
  { signal }: Limits,
): Promise<WarmProcess<OfficeJob>> =>
  startWarmProcess({
    name: 'LibreOffice',
    ...{ tools, tempFolder, startTimeoutMs, signal },
    prepare: async (folder) => {
      const script = join(folder, 'convert.py')
      await writeFile(script, convertScript)
      return { command, args: [script, soffice, await createProfile(folder), `archivolt-${randomUUID()}`] }
    },
  })

const coldInstance = (soffice: string, { tools, tempFolder }: OfficePoolOptions): WarmProcess<OfficeJob> => ({
  convert: (job, limits) => convertCold(job, limits, { soffice, tools, tempFolder }),
  isUsable: () => true,
  dispose: async () => {},
})
