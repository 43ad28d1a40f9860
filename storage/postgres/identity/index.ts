export { createIdentityStore, IDENTITY_CHANNEL } from './identity-store.js'
export { createLoginTries } from './login-tries.js'
export { createWriteLedger } from './write-ledger.js'
