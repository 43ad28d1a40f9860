import type { PackedState } from '../../core/automation/run-store/index.js'
/**
 * Hands the result of a run from the worker that this process carries to the request that waits for it. A
 * run of one segment has its result, receipt included, once the segment's transaction is committed: whatever
 * Temporal still has to note of it changes neither, and asking Temporal costs a long poll for each run.
 */
export type Handovers = {
  /** Begins to listen for a run that is about to start. Nothing is kept longer than a second. */
  expect(workflowId: string): void
  /** The run has committed its segment; without a state: it is to be asked at Temporal. */
  tell(workflowId: string, state: PackedState | undefined): void
  /** What is told, or undefined when nothing is expected, or not told in time. */
  taken(workflowId: string): Promise<PackedState | undefined>
}

/** What takes longer is worth the long poll. */
const KEPT_MS = 1_000

type Entry = { told: Promise<PackedState | undefined>; tell(state: PackedState | undefined): void }

export const createHandovers = (): Handovers => {
  const entries = new Map<string, Entry>()
  return {
    expect: (workflowId) => {
      let tell: Entry['tell'] = () => undefined
      const told = new Promise<PackedState | undefined>((resolve) => {
        tell = resolve
      })
      entries.set(workflowId, { told, tell })
      const forget = (): void => {
        entries.delete(workflowId)
        tell(undefined)
      }
      setTimeout(forget, KEPT_MS).unref()
    },
    tell: (workflowId, state) => entries.get(workflowId)?.tell(state),
    taken: async (workflowId) => entries.get(workflowId)?.told,
  }
}
