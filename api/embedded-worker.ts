import { createHandovers, type EmbeddedWorker } from '../engine/index.js'
import type { startEmbeddedWorker } from '../worker/index.js'

type EmbeddedWorkerOptions = Omit<Parameters<typeof startEmbeddedWorker>[0], 'signal' | 'onSegment'>

/** The worker inside this API process. It is available some time after `begin`. */
export const createEmbeddedWorker = () => {
  const handovers = createHandovers()
  const ending = new AbortController()
  const { signal } = ending
  let embedded: EmbeddedWorker | undefined
  let starting: Promise<(() => Promise<void>) | undefined> | undefined

  /** Without it, runs begin at the workers, over the task queue: slower, but otherwise the same. */
  const start = async (work: EmbeddedWorkerOptions): Promise<(() => Promise<void>) | undefined> => {
    try {
      // Imported late: the SDK of the worker takes longer to load than the rest of the API.
      const worker = await import('../worker/index.js')
      const { client, close } = await worker.startEmbeddedWorker({
        ...work,
        signal,
        onSegment: handovers.settle,
      })
      embedded = { client, handovers }
      return close
    } catch (error) {
      if (!signal.aborted)
        work.platform.logger.error(error, 'the embedded worker did not start; the API runs without it')
      return undefined
    }
  }

  return {
    current: (): EmbeddedWorker | undefined => embedded,
    /** @returns a promise of when it is available, or has failed to start. Runs begun before need another worker. */
    begin: async (work: EmbeddedWorkerOptions): Promise<void> => {
      starting ??= start(work)
      await starting
    },
    end: async (): Promise<void> => {
      ending.abort()
      const close = await starting
      await close?.()
    },
  }
}
