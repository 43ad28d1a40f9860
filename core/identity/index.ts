export { type Authenticator, createAuthenticator } from './authenticator.js'
export { hashPassword } from './password.js'
export { FIRST_ADMINISTRATOR, type SeededGroup, type SeededUser, seedIdentities } from './seed.js'
export type { Group, IdentityStore, User } from './store.js'
