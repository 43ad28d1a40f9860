export { ensureSearchAttributes } from './register.js'
export { CHAIN_ID, DOCUMENT_ID, PRINCIPAL, runAttributes } from './search-attributes.js'
