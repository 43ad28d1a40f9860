import type { Slots } from '../tools/slots.js'
import type { Engine } from './engine.js'

/** The engine with as many jobs at once as there are slots; users take turns. */
export const limited =
  (engine: Engine, slots: Slots): Engine =>
  async (job) => {
    const { owner, signal } = job
    const release = await slots.acquire({ owner, signal })
    try {
      return await engine(job)
    } finally {
      release()
    }
  }
