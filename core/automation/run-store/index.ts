export type { BulkStore } from './contracts/bulk-store.js'
export { type EffectEvent, type Effects, MAX_EFFECTS } from './contracts/effects.js'
export type { Housekeeping, Removed } from './contracts/housekeeping.js'
export {
  briefly,
  createIncidentLog,
  failureIncident,
  type IncidentLog,
  type Incidents,
  incidentInput,
  isKept,
  type KeptIncident,
  type RecordedIncident,
} from './contracts/incidents.js'
export type {
  EndedInlineRun,
  InlineRequest,
  InlineRun,
  InlineRuns,
  RunFilter,
} from './contracts/inline-runs.js'
export type { Cursor, ItemPlace, Iterations, StoredIteration } from './contracts/iterations.js'
export type { EnteredRun, OpenRunStore } from './contracts/open-run-store.js'
export type { CallKey, Receipts, StepKey } from './contracts/receipts.js'
export type { BoundToStart, MayBeUnsigned, RunKey } from './contracts/run-key.js'
export type { RunTallies, RunTally } from './contracts/run-tallies.js'
export type { Sequences } from './contracts/sequences.js'
export type { BeforeCommit, TransactionReach, UnitOfWork, UnitsOfWork } from './contracts/unit-of-work.js'
export { findDownload, keepDownload } from './downloads.js'
export { alreadyDone, executeOnce, executeOnceForKey, requireSameCall } from './execute-once.js'
export { browsablePaths, failuresWithPaths, withPaths } from './failed-documents.js'
export { whyNotFailed } from './not-failed.js'
export { enteredState, type PackedState, packState, type RunState, unpackState } from './state.js'
