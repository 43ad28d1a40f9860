import { type CarriedWorker, createHandovers } from '../engine/index.js'
import type { carryWorker } from '../worker/index.js'

type Carrying = Omit<Parameters<typeof carryWorker>[0], 'signal' | 'onSegment'>

/** The worker of this process, which is there some time after it was asked for. */
export const createCarrying = () => {
  const handovers = createHandovers()
  const ending = new AbortController()
  const { signal } = ending
  let carried: CarriedWorker | undefined
  let carrying: Promise<(() => Promise<void>) | undefined> | undefined

  /** Without it runs begin at the workers, over the queue: slower, not worse. */
  const carry = async (work: Carrying): Promise<(() => Promise<void>) | undefined> => {
    try {
      // Loaded when the API serves already: the worker's SDK takes longer to load than the rest of it.
      const worker = await import('../worker/index.js')
      const { client, close } = await worker.carryWorker({ ...work, signal, onSegment: handovers.settle })
      carried = { client, handovers }
      return close
    } catch (error) {
      if (!signal.aborted) work.platform.logger.error(error, 'the API goes on without a worker of its own')
      return undefined
    }
  }

  return {
    carried: (): CarriedWorker | undefined => carried,
    begin: (work: Carrying): void => {
      carrying ??= carry(work)
    },
    end: async (): Promise<void> => {
      ending.abort()
      const close = await carrying
      await close?.()
    },
  }
}
