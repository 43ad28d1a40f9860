export {
  abortBulk,
  BULK_ACTIONS,
  type BulkCommand,
  type BulkProgress,
  type BulkRequest,
  type BulkStore,
  bulkStatus,
  collectBulk,
  getBulk,
  hasEnded,
  type NewBulkCommand,
  refusalOfBulk,
  repairBulk,
  resumeBulk,
  runBulkBucket,
  submitBulk,
} from './bulk/index.js'
export {
  type ChainDefinition,
  type ChainExecution,
  type ChainParameter,
  type ChainStep,
  type ErrorChain,
  EXECUTIONS,
} from './chain.js'
export { jsonOf } from './coerce.js'
export { deadEndOf } from './dead-ends.js'
export {
  commitsOnItsWay,
  describePlan,
  type PlanDescription,
  type PlanPart,
  signaturesOf,
} from './describe-plan.js'
export { createDocumentReader, type DocumentReader } from './documents.js'
export { doneOnceForKey } from './done-once.js'
export { findDownload, keepDownload } from './downloads.js'
export { type EffectEvent, type Effects, MOST_EFFECTS } from './effects.js'
export {
  collectElements,
  type EnteredElement,
  enterElement,
  type FailedElement,
  leaveElement,
} from './elements.js'
export type { ChainFailure } from './error-chains.js'
export type { Execution, ExecutorDependencies } from './execution.js'
export { operationFiltersPoint } from './filters-point.js'
export { finalFailure } from './final-failure.js'
export type { Housekeeping, Removed } from './housekeeping.js'
export { failuresWithPaths, type NamedFailure, withPaths } from './incident-paths.js'
export {
  briefly,
  type Incidents,
  incidentInput,
  type KeptIncident,
  type RecordedIncident,
} from './incidents.js'
export type {
  EndedInlineRun,
  InlineRequest,
  InlineRun,
  InlineRuns,
  RunFailure,
  RunFilter,
} from './inline-runs.js'
export { runFailureOf } from './inline-runs.js'
export { checkCalledParameters, checkLiteralParameters } from './literal-parameters.js'
export { type LoopPage, type LoopReport, runLoopPage } from './loop.js'
export { mayCall, requireMayCall } from './may-call.js'
export { namedDocuments } from './named-documents.js'
export type { LoopCall } from './open-loop.js'
export type { ElementCall } from './open-walk.js'
export {
  type Boundary,
  defineOperation,
  type Method,
  type NestedCall,
  type Notation,
  type Operation,
  type OperationContext,
  type OperationServices,
  type Parameter,
  type Parameters,
  type ParameterType,
  type ParameterValues,
} from './operation.js'
export { isExpression, type LoopRepairs, type Plan, type PlanNode } from './plan.js'
export { requireFit } from './plan-fit.js'
export {
  adoptState,
  planRun,
  planToTravel,
  type RunOrder,
  type RunRequest,
  type RunStart,
} from './plan-run.js'
export { boundaryOf, chainOfOne, committingSteps, planChain } from './planner.js'
export { parsePropertiesText } from './properties-text.js'
export {
  callOfPage,
  firstPageOf,
  isListPage,
  type ListPage,
  pageBehind,
  readPage,
} from './provider-pages.js'
export { expressionsIn, type RawExpression } from './raw-expressions.js'
export type {
  CallKey,
  ElementPlace,
  LoopFailure,
  LoopPosition,
  Receipts,
  StepKey,
  StoredLoop,
} from './receipts.js'
export { KEPT_FAILURES, KEPT_MESSAGE } from './receipts.js'
export { type Callable, createRegistry, notCallable, type Registry } from './registry.js'
export { noteLoop, type RehearsalNotes, type RehearsedLoop } from './rehearsal-notes.js'
export { type Rehearsal, rehearse } from './rehearse.js'
export {
  enterFailed,
  type FailedElementEntered,
  leaveFailed,
  type RepairedSoFar,
  strikeElement,
} from './repair-elements.js'
export { type RepairPage, repairLoop } from './repair-loop.js'
export { runInline } from './run-inline.js'
export { type OperationCall, runOperation } from './run-operation.js'
export type { RunTallies, RunTally } from './run-tallies.js'
export { runTarget } from './run-target.js'
export { runChainWithin } from './run-within.js'
export { truthValue, wholeNumber } from './scalars.js'
export {
  type ScriptDefinition,
  type ScriptInvocation,
  type ScriptParameter,
  scriptedOperation,
  scriptNamesOf,
} from './scripts/index.js'
export {
  catchFailure,
  type EnteredTarget,
  enterTarget,
  leaveTarget,
  type RunContext,
  runSegment,
  type SegmentDependencies,
  type TargetCall,
} from './segment.js'
export type { Sequences } from './sequences.js'
export { type PackedState, type RunState, unpackState } from './state.js'
export { withinTimeLimit } from './time-limit.js'
export {
  failureText,
  type RunTraces,
  recordTraces,
  type Trace,
  tracedCalls,
  traceText,
} from './trace-recording.js'
export { CHUNK_SIZE, type TransientStore } from './transient.js'
export { collectedType } from './typing.js'
export { whyUnfailed } from './unfailed-items.js'
export type { TransactionReach, UnitOfWork, UnitsOfWork } from './unit-of-work.js'
export {
  documentsValue,
  documentValue,
  typeOf,
  type Value,
  type ValueType,
  type Variables,
  VOID,
  valueOfJson,
} from './values.js'
