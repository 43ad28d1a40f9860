export { formatByPattern, parseByPattern } from './date-pattern.js'
export { isFound, isMatch, isPattern, type Matching, withMatches } from './match.js'
export { matchesStars } from './stars.js'
