export type { ChainFailure } from './error-chains.js'
export { executionOf, type RunContext, type SegmentDependencies } from './execution-of.js'
export { executeCatching, executeTarget } from './executor.js'
export { namedDocuments } from './named-documents.js'
export { runInline } from './run-inline.js'
export { collectOutputs, methodFor } from './run-method.js'
export { runOperation } from './run-operation.js'
export { runTarget } from './run-target.js'
export { runChainWithin } from './run-within.js'
export { catchFailure, runSegment } from './segment.js'
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
} from './target.js'
export { throwIfLate, throwIfStopped, withinTimeLimit, withTimeout } from './time-limit.js'
export { failureText, recordTraces, tracedCalls, traceText } from './trace-recording.js'
