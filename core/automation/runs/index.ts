export { maySee, noRun, requireVisible } from './access.js'
export type {
  ConversionJob,
  ConversionRuns,
  ConversionState,
  ListedConversion,
} from './conversion-runs.js'
export { createRuns } from './create-runs.js'
export { errorOfCancelled, errorOfRun } from './failure.js'
export { bulkRunId, mayBeBulk } from './ids/bulk.js'
export { calledRunId, itemsRunId, newRunId, uncalledPrefixes } from './ids/called.js'
export { digest } from './ids/digest.js'
export { eventRunId } from './ids/event.js'
export { scheduleIdOf } from './ids/schedule.js'
export { callInline, inlineRunId } from './inline/call.js'
export { failedAgain, failedAgainSoFar, failedItems } from './items/list.js'
export { noSuchItems } from './items/no-such-items.js'
export { planItems, retriedLoops } from './items/plan.js'
export { findRequested } from './items/requested.js'
export {
  type FailedItems,
  type FailedItemsPage,
  type ItemsPage,
  MAX_POSITION,
  type RequestedItems,
} from './items/types.js'
export type { ListedHalf, RunPage, RunsFilter } from './list/types.js'
export { type ConversionQuota, createConversionQuota } from './quota/conversion-quota.js'
export type { OpenRuns } from './quota/ended-runs.js'
export { createRunQuota, type RunQuota } from './quota/quota.js'
export { incidentFields, incidentsOf } from './report/incidents.js'
export type { ChainProgress, LoopReports, NodeProgress } from './report/progress.js'
export { reportOf } from './report/report.js'
export type { RunReport, RunSummary } from './report/types.js'
export { latestChain } from './retry/latest-chain.js'
export { isOutdated } from './retry/outdated.js'
export {
  type FailedAt,
  failedAt,
  hasBegun,
  isLoop,
  loopsOf,
  type Recorded,
  stateBefore,
} from './retry/position.js'
export { requireItemsRetryable, requireNoFailedItems, requireRetryable } from './retry/requests.js'
export { RUN_EXECUTIONS, RUN_STATES, type RunDescription, type RunStatus } from './run.js'
export type { RetriedRun, RetryCall, Runs } from './runs.js'
export type { ScheduleReport, ScheduleRun, Schedules } from './schedules.js'
export { documentOf, fingerprintOf, isOneSegment } from './start.js'
export { createRunTraces } from './traces.js'
export type { NewRun, WorkflowRuns } from './workflow-runs.js'
