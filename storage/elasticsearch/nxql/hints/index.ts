export { hintClause } from './hint-clause.js'
