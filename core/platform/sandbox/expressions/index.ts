export { positionIn, sourceOffset } from './compile.js'
export { computedSince } from './computed.js'
export { DOCUMENT_MEMBERS, isDocumentMember } from './document-members.js'
export { createExpressionEngine } from './engine.js'
export { failedOperand } from './failed-operand.js'
export { isOverLimit, shown } from './limits.js'
export { PLATFORM_NAMES, userData } from './names.js'
export { FUNCTION_NAMES } from './prelude/functions.js'
export { SANDBOX, TAG } from './prelude/index.js'
export { THREAD_PRELUDE } from './prelude/thread.js'
export { namesIn, type Reference, referencesIn, referencesOf } from './references.js'
export { refusalOfExpression, refusalOfSource } from './refusal.js'
export type { ExpressionThreads } from './run-in-thread.js'
export { type Token, tokenize } from './tokens.js'
export { HELPERS, translate } from './translate.js'
export type {
  DocumentReference,
  ExpressionEngine,
  ExpressionLimits,
  ExpressionScope,
  HostDocument,
} from './types.js'
export { createWatchdog, StoppedByWatchdog } from './watchdog.js'
