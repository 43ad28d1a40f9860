export { IGNORED_QUERY, unknownQueryParameters } from './unknown-query.js'
export { addWarnings, WARNING, warningHeader, warningHeaders, withWarnings } from './warnings.js'
