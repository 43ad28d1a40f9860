import type { Client } from '@temporalio/client'
import type { PackedState } from '../../core/automation/run-store/index.js'

/**
 * Passes the result of a run from the embedded worker to the request that waits for it. A run of one segment has
 * its result, receipt included, once the segment's transaction is committed: whatever Temporal still has to record of it
 * changes neither, and asking Temporal costs a long poll for each run.
 */
export type Handovers = {
  /** Begins to listen for a run that is about to start. Nothing is kept longer than a second. */
  expect(workflowId: string): void
  /** Reports that the run has committed its segment; without a state, Temporal has the result. */
  settle(workflowId: string, state: PackedState | undefined): void
  /** The state, or undefined when the run is not expected, or on a timeout. */
  take(workflowId: string): Promise<PackedState | undefined>
}

/** A worker in this process: a client whose runs begin at it, and the handover of their results. */
export type EmbeddedWorker = { client: Client; handovers: Handovers }

/** Milliseconds after which the request falls back to the long poll. */
const KEPT_MS = 1_000

type Entry = { state: Promise<PackedState | undefined>; settle(state: PackedState | undefined): void }

export const createHandovers = (): Handovers => {
  const entries = new Map<string, Entry>()
  return {
    expect: (workflowId) => {
      let settle: Entry['settle'] = () => undefined
      const state = new Promise<PackedState | undefined>((resolve) => {
        settle = resolve
      })
      entries.set(workflowId, { state, settle })
      const forget = (): void => {
        entries.delete(workflowId)
        settle(undefined)
      }
      setTimeout(forget, KEPT_MS).unref()
    },
    settle: (workflowId, state) => entries.get(workflowId)?.settle(state),
    take: async (workflowId) => entries.get(workflowId)?.state,
  }
}
