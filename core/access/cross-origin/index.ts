export { corsPoint } from './cors-point.js'
export { type CorsRule, type CorsRules, corsRegistry } from './cors-rules.js'
export {
  type CallOrigin,
  refusalOfWork,
  refuseForeign,
  refuseForgery,
  requireAllowed,
  requireAllowedHeaders,
} from './judge.js'
export { ALLOW_NULL_ORIGIN } from './null-origin.js'
