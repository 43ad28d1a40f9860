export { announcing } from './announcing.js'
export { createIdentityChanges, type IdentityChanges } from './changes.js'
export { IDENTITY_EVENTS } from './changing.js'
export {
  addToGroup,
  createGroup,
  deleteGroup,
  type GroupInput,
  removeFromGroup,
  requireGroup,
  updateGroup,
} from './groups.js'
export { keepAdministrator } from './guards.js'
export { type Authenticator, createAuthenticator } from './login/authenticator.js'
export { type LoginEvent, loginEvent } from './login/login-event.js'
export type { LoginTries, Tries } from './login/login-throttle.js'
export { hashPassword, isHashed, STANDARD_COST } from './login/password.js'
export type { PasswordPolicy } from './login/password-policy.js'
export { loadPrincipal } from './principals.js'
export { type IdentitySession, ROUTE_MANAGERS, requireManager } from './rights.js'
export {
  FIRST_ADMINISTRATOR,
  type FirstAdministrator,
  type SeededGroup,
  type SeededUser,
  seedIdentities,
} from './seed.js'
export type {
  EntityListing,
  FieldMatch,
  Found,
  Group,
  GroupChange,
  GroupStore,
  Identities,
  IdentitySearch,
  IdentityStore,
  MemberKind,
  Membership,
  MembershipStore,
  SubstringMatch,
  User,
  UserChange,
  UserManagement,
  UserStore,
} from './types.js'
export { buildUserManagement, userManagerPoint } from './user-management.js'
export type { UserInput } from './user-values.js'
export { changeOwnPassword, createUser, deleteUser, requireUser, updateUser } from './users.js'
export {
  type GroupView,
  type ListPage,
  searchGroups,
  searchUsers,
  type UserView,
  viewGroups,
  viewUsers,
} from './views.js'
