export { IGNORED_QUERY, unknownQueryParameters } from './unknown-query.js'
export { addWarnings, WARNING, warningHeader, withWarnings } from './warnings.js'
