export {
  type Ace,
  type Acl,
  aceId,
  browsersOf,
  type EffectiveAce,
  type EffectiveAcl,
  effectiveAcl,
  isBlock,
  isGranted,
  type PermissionModel,
} from './acl.js'
export { EVERYONE, EVERYTHING, type Principal, principalOf, SYSTEM } from './principal.js'
