export type { BulkStore } from './bulk-store.js'
export { findDownload, keepDownload } from './downloads.js'
export { type EffectEvent, type Effects, MAX_EFFECTS } from './effects.js'
export { alreadyDone, executeOnce, executeOnceForKey, requireSameCall } from './execute-once.js'
export { browsablePaths, failuresWithPaths, withPaths } from './failed-documents.js'
export type { Housekeeping, Removed } from './housekeeping.js'
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
} from './incidents.js'
export type { EndedInlineRun, InlineRequest, InlineRun, InlineRuns, RunFilter } from './inline-runs.js'
export type { Cursor, ItemPlace, Iterations, StoredIteration } from './iterations.js'
export { whyNotFailed } from './not-failed.js'
export type { EnteredRun, OpenRunStore } from './open-run-store.js'
export type { CallKey, Receipts, StepKey } from './receipts.js'
export type { BoundToStart, MayBeUnsigned, RunKey } from './run-key.js'
export type { RunTallies, RunTally } from './run-tallies.js'
export type { Sequences } from './sequences.js'
export { enteredState, type PackedState, packState, type RunState, unpackState } from './state.js'
export type { BeforeCommit, TransactionReach, UnitOfWork, UnitsOfWork } from './unit-of-work.js'
