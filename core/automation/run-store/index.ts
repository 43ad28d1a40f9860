export type { BulkStore } from './bulk-store.js'
export { findDownload, keepDownload } from './downloads.js'
export { type EffectEvent, type Effects, MOST_EFFECTS } from './effects.js'
export { doneOnce, doneOnceForKey, requireSameCall } from './execute-once.js'
export { failuresWithPaths, withPaths } from './failed-documents.js'
export type { Housekeeping, Removed } from './housekeeping.js'
export {
  briefly,
  createIncidentLog,
  type IncidentLog,
  type Incidents,
  incidentInput,
  isKept,
  type KeptIncident,
  passedOver,
  type RecordedIncident,
} from './incidents.js'
export type { EndedInlineRun, InlineRequest, InlineRun, InlineRuns, RunFilter } from './inline-runs.js'
export type { Cursor, ItemPlace, Iterations, StoredIteration } from './iterations.js'
export { whyUnfailed } from './not-failed.js'
export type { CallKey, Receipts, StepKey } from './receipts.js'
export type { RunTallies, RunTally } from './run-tallies.js'
export type { Sequences } from './sequences.js'
export { enteredState, type PackedState, packState, type RunState, unpackState } from './state.js'
export type { Lastly, TransactionReach, UnitOfWork, UnitsOfWork } from './unit-of-work.js'
