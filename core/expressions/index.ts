export { createExpressionEngine } from './engine.js'
export { userData } from './names.js'
export { SANDBOX, TAG } from './prelude/index.js'
export { tokenize } from './tokens.js'
export { HELPERS, translate } from './translate.js'
export type {
  DocumentReference,
  ExpressionEngine,
  ExpressionLimits,
  ExpressionScope,
  HostDocument,
} from './types.js'
