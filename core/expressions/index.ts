export { createExpressionEngine } from './engine.js'
export type {
  DocumentReference,
  ExpressionEngine,
  ExpressionLimits,
  ExpressionScope,
  HostDocument,
} from './types.js'
