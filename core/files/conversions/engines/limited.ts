import { inSlot, type Slots } from '../tools/slots.js'
import type { Engine } from './engine.js'

/** The engine with as many jobs at once as there are slots; users take turns. */
export const limited =
  (engine: Engine, slots: Slots): Engine =>
  (job) =>
    inSlot(slots, job, () => engine(job))
