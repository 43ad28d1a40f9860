export { type Authenticator, createAuthenticator } from './authenticator.js'
export { hashPassword, isHashed } from './password.js'
export { FIRST_ADMINISTRATOR, type SeededGroup, type SeededUser, seedIdentities } from './seed.js'
export type {
  EntityListing,
  FieldMatch,
  Found,
  Group,
  GroupChange,
  Identities,
  IdentitySearch,
  IdentityStore,
  MemberKind,
  Membership,
  SubstringMatch,
  User,
  UserChange,
  UserManagement,
} from './types.js'
export { buildUserManagement, userManagerPoint } from './user-management.js'
