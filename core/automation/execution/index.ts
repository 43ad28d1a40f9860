export { throwIfStopped } from '../../platform/limits/index.js'
export type { ChainFailure } from './error-chains.js'
export { executionOf, type RunContext, type SegmentDependencies } from './execution-of.js'
export { executeCatching, executeTarget } from './executor.js'
export { largeChange } from './large-changes.js'
export { namedDocuments } from './named-documents.js'
export { collectOutputs, methodFor } from './steps/run-method.js'
export { mayWorkApart, runApart } from './targets/apart.js'
export { contextAt } from './targets/context-at.js'
export { runDeployed } from './targets/run-deployed.js'
export { runInline } from './targets/run-inline.js'
export { outdated, runOperation } from './targets/run-operation.js'
export { runTarget } from './targets/run-target.js'
export { runChainWithin } from './targets/run-within.js'
export { catchFailure, runSegment, runSegmentsTogether } from './targets/segment.js'
export {
  continuesOnError,
  type EnteredTarget,
  enterTarget,
  isFinal,
  leaveTarget,
  leftVariables,
  openCall,
  type TargetCall,
  timeoutOf,
} from './targets/target.js'
export { throwIfLate, withinTimeLimit, withTimeout } from './time-limit.js'
export { failureText, recordTraces, tracedCalls, traceText } from './trace-recording.js'
