import { isArchivoltError } from '../../../platform/errors/index.js'
import { createSlots, type SlotRequest } from '../tools/slots.js'
import type { Limits, WarmJob, WarmProcess } from './warm-process.js'

export type WarmPoolOptions<Job extends WarmJob> = {
  /** Processes at most. */
  size: number
  /** Jobs after which a process is replaced, as programs leak. */
  recycleAfter: number
  /** For one job. */
  timeoutMs: number
  start(limits: Limits): Promise<WarmProcess<Job>>
}

/** @property timeoutMs for this job, where that is less than for others. */
export type WarmRequest = SlotRequest & { timeoutMs?: number }

export type WarmPool<Job extends WarmJob> = {
  /** Waits for a process: a user has half of them at most, and users take turns. */
  convert(job: Job, request?: WarmRequest): Promise<void>
  /** Kills all processes; jobs that run fail. */
  close(): Promise<void>
}

type Warm<Job extends WarmJob> = { process: WarmProcess<Job>; jobs: number }

/**
 * Keeps processes warm. They are started when first needed; one that failed, was aborted, took too long or reached its
 * number of jobs is replaced by the next job that needs one.
 */
export const createWarmPool = <Job extends WarmJob>(options: WarmPoolOptions<Job>): WarmPool<Job> => {
  const slots = createSlots(options.size)
  const closing = new AbortController()
  const idle: Warm<Job>[] = []
  const running = new Set<WarmProcess<Job>>()

  const discard = async (process: WarmProcess<Job>) => {
    running.delete(process)
    await process.dispose()
  }

  const takeIdle = async (): Promise<Warm<Job> | undefined> => {
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      if (warm.process.isUsable()) return warm
      await discard(warm.process)
    }
    return undefined
  }

  const start = async (limits: Limits): Promise<Warm<Job>> => {
    const process = await options.start(limits)
    running.add(process)
    return { process, jobs: 0 }
  }

  /** Returns the process to the idle ones, or ends it. */
  const putBack = async (warm: Warm<Job>) => {
    warm.jobs += 1
    const isSpent = warm.jobs >= options.recycleAfter || !warm.process.isUsable()
    if (isSpent) await discard(warm.process)
    else idle.push(warm)
  }

  const convert = async (job: Job, limits: Limits): Promise<void> => {
    const warm = (await takeIdle()) ?? (await start(limits))
    try {
      await warm.process.convert(job, limits)
    } catch (error) {
      // A crash may be the late effect of jobs before this one; in a new process it is this job's.
      const isCrash = isArchivoltError(error) && error.code === 'conversionFailed' && !warm.process.isUsable()
      if (!isCrash || warm.jobs === 0) throw error
      return await convert(job, limits)
    } finally {
      await putBack(warm)
    }
  }

  return {
    async convert(job, { owner, signal, timeoutMs = options.timeoutMs } = {}) {
      const either = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      const release = await slots.acquire({ owner, signal: either })
      try {
        await convert(job, { timeoutMs: Math.min(timeoutMs, options.timeoutMs), signal: either })
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
