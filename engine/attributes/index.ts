export { ensureSearchAttributes } from './register.js'
export {
  attributesAfter,
  CHAIN_ID,
  DOCUMENT_ID,
  EVENT_NAME,
  PRINCIPAL,
  ROUTE_MODEL,
  runAttributes,
} from './search-attributes.js'
