export { createIdentityStore, IDENTITY_CHANNEL } from './identity-store.js'
