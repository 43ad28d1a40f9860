import { isArchivoltError } from '../../../platform/errors/index.js'
import { requireTool } from '../tools/require-tool.js'
import { createSlots } from '../tools/slots.js'
import type { Tools } from '../tools/tools.js'
import { convertCold } from './cold.js'
import { type Limits, type OfficeInstance, startInstance } from './instance.js'
import type { OfficeJob } from './office-job.js'
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

export type OfficePool = {
  convert(job: OfficeJob, signal?: AbortSignal): Promise<void>
  /** Kills all instances; conversions that run fail. */
  close(): Promise<void>
}

type Warm = { instance: OfficeInstance; conversions: number }

/**
 * Keeps LibreOffice processes warm. They are started when first needed; an instance that failed, was aborted, took too
 * long or reached its number of conversions is replaced by the next document that needs one.
 */
export const createOfficePool = (options: OfficePoolOptions): OfficePool => {
  const { tools, tempFolder, timeoutMs, startTimeoutMs } = options
  const slots = createSlots(options.instances)
  const closing = new AbortController()
  const idle: Warm[] = []
  const running = new Set<OfficeInstance>()
  let python: Promise<string | null> | undefined

  // Looked for once, but a look-up that failed (a full disk, say) is not remembered.
  const unoPython = () => {
    python ??= findUnoPython({ tools, tempFolder }).catch((error) => {
      python = undefined
      throw error
    })
    return python
  }

  const start = async (command: string, { signal }: Limits): Promise<Warm> => {
    const soffice = requireTool(tools, 'soffice')
    const instance = await startInstance({
      soffice,
      python: command,
      tools,
      tempFolder,
      startTimeoutMs,
      signal,
    })
    running.add(instance)
    return { instance, conversions: 0 }
  }

  const takeIdle = async (): Promise<Warm | undefined> => {
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      if (warm.instance.isUsable()) return warm
      await discard(warm.instance)
    }
    return undefined
  }

  const discard = async (instance: OfficeInstance) => {
    running.delete(instance)
    await instance.dispose()
  }

  /** Returns the instance to the idle ones, or ends it. */
  const putBack = async (warm: Warm) => {
    warm.conversions += 1
    const isSpent = warm.conversions >= options.recycleAfter || !warm.instance.isUsable()
    if (isSpent) await discard(warm.instance)
    else idle.push(warm)
  }

  const convertWarm = async (job: OfficeJob, command: string, limits: Limits): Promise<void> => {
    const warm = (await takeIdle()) ?? (await start(command, limits))
    try {
      await warm.instance.convert(job, limits)
    } catch (error) {
      // A crash may be the late effect of documents before this one; in a new instance it is this document's.
      const isCrash = isArchivoltError(error) && error.code === 'operationFailed' && !warm.instance.isUsable()
      if (!isCrash || warm.conversions === 0) throw error
      return await convertWarm(job, command, limits)
    } finally {
      await putBack(warm)
    }
  }

  return {
    async convert(job, signal) {
      const either = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      const release = await slots.acquire(either)
      try {
        const command = await unoPython()
        const limits = { timeoutMs, signal: either }
        if (command) await convertWarm(job, command, limits)
        else
          await convertCold(job, limits, {
            soffice: requireTool(tools, 'soffice'),
            tools,
            tempFolder,
          })
      } finally {
        release()
      }
    },
    async close() {
      closing.abort(new Error('The converters are being closed'))
      await Promise.all([...running].map(discard))
    },
  }
}
