export { formatByPattern, parseByPattern } from './date-pattern.js'
export { literal } from './literal.js'
export { isFound, isMatch, isPattern, type Matching, withMatches } from './match.js'
