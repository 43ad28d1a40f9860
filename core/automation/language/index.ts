export {
  type ChainDefinition,
  type ChainExecution,
  type ChainParameter,
  type ChainStep,
  type ErrorChain,
  EXECUTIONS,
} from './chains/chain.js'
export {
  CHAIN_PARAMETERS,
  chainParameters,
  checkSentParameters,
  mapOf,
  parametersValue,
  startVariables,
} from './chains/chain-parameters.js'
export { expressionsIn, isExpression, type RawExpression, rawParameter } from './chains/raw-expressions.js'
export type { ScriptDefinition, ScriptInvocation, ScriptOutcome } from './chains/script.js'
export { scriptName, scriptNamesOf } from './chains/script-names.js'
export { finalFailure } from './failures/final-failure.js'
export type { Incident, IncidentInput } from './failures/incident.js'
export { type ItemFailure, KEPT_FAILURES, KEPT_MESSAGE, type NamedFailure } from './failures/item-failure.js'
export { type RunFailure, runFailureOf } from './failures/run-failure.js'
export type { NamedProperty, NamedThing, NameKind } from './names.js'
export type {
  BulkCommand,
  BulkFailure,
  BulkRequest,
  BulkWork,
  NewBulkCommand,
} from './operations/bulk-command.js'
export type { NestedCall, OperationContext } from './operations/context.js'
export type { DryRunLoop, DryRunNotes, RouteNote } from './operations/dry-run-notes.js'
export { operationFiltersPoint } from './operations/filters-point.js'
export { mayCall, requireMayCall } from './operations/may-call.js'
export { type Boundary, defineOperation, type Method, type Operation } from './operations/operation.js'
export {
  isStepsOwn,
  type Notation,
  type Parameter,
  type Parameters,
  type ParameterType,
} from './operations/parameters.js'
export { type Callable, createRegistry, notCallable, type Registry } from './operations/registry.js'
export { secretNamesOf, secretParametersPoint } from './operations/secret-parameters-point.js'
export type { OperationServices } from './operations/services.js'
export type { RecordedCall, RunTraces, Trace, TraceRecording } from './operations/traces.js'
export { CHUNK_SIZE, type TransientStore } from './operations/transient.js'
export { unknownFilter } from './operations/unknown-filter.js'
export { logOfUser } from './operations/user-log.js'
export { checkLiteral, coerceParameter, jsonOf } from './values/coerce.js'
export { createDocumentReader, type DocumentReader } from './values/document-reader.js'
export { commaItems, commaList, MAX_NAMED_DOCUMENTS } from './values/named-lists.js'
export { noList } from './values/no-list.js'
export { parsePropertiesText } from './values/properties-text.js'
export { truthValue, wholeNumber } from './values/scalars.js'
export { CHAIN_METHOD, choosePath, collectedType, isMapped, type TypedStep } from './values/typing.js'
export { uploadedFile, uploadVariable } from './values/uploaded-files.js'
export {
  documentsValue,
  documentValue,
  recordedValue,
  typeOf,
  VALUE_TYPES,
  type Value,
  type ValueType,
  type Variables,
  VOID,
  valueOfJson,
  withoutRecord,
} from './values/values.js'
