export { positionIn, sourceOffset } from './evaluation/compile.js'
export { computedSince } from './evaluation/computed.js'
export { DOCUMENT_MEMBERS, isDocumentMember } from './evaluation/document-members.js'
export { createExpressionEngine } from './evaluation/engine.js'
export { PLATFORM_NAMES, userData } from './evaluation/names.js'
export type { ExpressionThreads } from './evaluation/run-in-thread.js'
export { createWatchdog, StoppedByWatchdog } from './evaluation/watchdog.js'
export { bareSource } from './language/bare-source.js'
export { expressionFindings } from './language/expression-findings.js'
export { failedOperand } from './language/failed-operand.js'
export { namesIn, type Reference, referencesIn, referencesOf } from './language/references.js'
export { refusalOfExpression, refusalOfSource } from './language/refusal.js'
export { type Token, tokenize } from './language/tokens.js'
export { HELPERS, translate } from './language/translate.js'
export { isOverLimit, shown } from './limits.js'
export { FUNCTION_NAMES } from './prelude/functions.js'
export { SANDBOX, TAG } from './prelude/prelude.js'
export { THREAD_PRELUDE } from './prelude/thread.js'
export type {
  DocumentReference,
  ExpressionEngine,
  ExpressionLimits,
  ExpressionScope,
  HostDocument,
} from './types.js'
