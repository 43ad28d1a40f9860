import type { ExtensionPoint } from '../../platform/contributions/index.js'
import { permissionsPoint } from './permissions-point.js'
import { securityPoliciesPoint } from './security-policies-point.js'
import { visiblePermissionsPoint } from './visible-permissions-point.js'

/** The extension points that this module declares. */
export const securityPoints: readonly ExtensionPoint[] = [
  permissionsPoint,
  visiblePermissionsPoint,
  securityPoliciesPoint,
]

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
export { buildPermissionModel } from './permission-model.js'
export { permissionsPoint } from './permissions-point.js'
export {
  decideByPolicy,
  demandedByQueries,
  type PolicyFacts,
  policyRestrictions,
  type SecurityPolicy,
} from './policy.js'
export { EVERYONE, EVERYTHING, type Principal, principalOf, SYSTEM } from './principal.js'
export { permissionsRegistry } from './registry.js'
export { securityPoliciesPoint } from './security-policies-point.js'
export type { AccessUpkeep, PointedScopes } from './upkeep.js'
