export { isFound, isMatch, isPattern, type Matching, withMatches } from './match.js'
