import type { OpenRunStore } from '../../run-store/index.js'

/** A store of open runs in memory, of one user. */
export const memoryOpenRuns = (now: () => number): OpenRunStore => {
  const entered = new Map<string, number>()
  return {
    enter: async ({ runId, max }) => {
      if (entered.has(runId)) return 'known'
      if (entered.size >= max) return 'full'
      entered.set(runId, now())
      return 'entered'
    },
    entered: async () => [...entered].map(([runId, at]) => ({ runId, ageMs: now() - at })),
    leave: async (runIds) => {
      for (const runId of runIds) entered.delete(runId)
    },
  }
}
