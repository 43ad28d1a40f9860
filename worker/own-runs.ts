import type { CustomSlotSupplier, WorkerTuner, WorkflowSlotInfo } from '@temporalio/worker'

const noLongerNeeded = (): Error => new DOMException('No longer needed', 'AbortError')

/**
 * Slots for workflow tasks of runs that this process begins itself: they come with the start of a run, and then by the
 * queue of this process alone. The queue that all workers share is never polled. What a process has taken from it when it
 * is killed waits for a timeout, and it may be a part of a run that somebody waits for at another process.
 */
export const ownRunSlots = (slots: number): CustomSlotSupplier<WorkflowSlotInfo> => {
  let free = slots
  const line = new Set<() => void>()
  const take = (): boolean => {
    if (free === 0) return false
    free--
    return true
  }
  return {
    type: 'custom',
    reserveSlot: ({ isSticky }, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(noLongerNeeded())
        if (isSticky && take()) return resolve({})
        const begin = (): void => resolve({})
        if (isSticky) line.add(begin)
        signal.addEventListener('abort', () => {
          line.delete(begin)
          reject(noLongerNeeded())
        })
      }),
    tryReserveSlot: () => (take() ? {} : null),
    markSlotUsed: () => undefined,
    releaseSlot: () => {
      const [next] = line
      if (!next) {
        free++
        return
      }
      line.delete(next)
      next()
    },
  }
}

/** The sizes of a worker that does the runs of its own process. */
export const ownRunsTuner = (sizes: { workflows: number; localActivities: number }): WorkerTuner => ({
  workflowTaskSlotSupplier: ownRunSlots(sizes.workflows),
  localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: sizes.localActivities },
  // It takes neither from a queue.
  activityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
})
