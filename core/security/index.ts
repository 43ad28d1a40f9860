export {
  type Ace,
  type AceStatus,
  type Acl,
  aceId,
  aceStatus,
  browsersOf,
  type EffectiveAce,
  type EffectiveAcl,
  effectiveAcl,
  isBlock,
  isGranted,
  type PermissionModel,
  type VisiblePermission,
} from './acl.js'
export {
  decideByPolicy,
  demandedByQueries,
  type PolicyFacts,
  policyRestrictions,
  type SecurityPolicy,
} from './policy.js'
export { EVERYONE, EVERYTHING, type Principal, principalOf, SYSTEM } from './principal.js'
export type { AccessUpkeep, PointedScopes } from './upkeep.js'
