export { createExpressionEngine } from './engine.js'
export { defaultExpressionLimits, expressionLimitSettings } from './limits.js'
export type {
  DocumentReference,
  ExpressionEngine,
  ExpressionLimits,
  ExpressionScope,
  HostDocument,
} from './types.js'
