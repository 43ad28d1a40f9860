export { ensureSearchAttributes } from './register.js'
export {
  attributesAfter,
  CHAIN_ID,
  DOCUMENT_ID,
  PRINCIPAL,
  ROUTE_MODEL,
  runAttributes,
} from './search-attributes.js'
