export { ensureSearchAttributes } from './register.js'
export { attributesAfter, CHAIN_ID, DOCUMENT_ID, PRINCIPAL, runAttributes } from './search-attributes.js'
