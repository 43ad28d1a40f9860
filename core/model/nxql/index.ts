export type { Predicate, Query, Reference } from './ast.js'
export { bindParameters, type NxqlParameter, quoteNxql } from './bind-parameters.js'
export { narrowed, parseConditions, parseReference } from './compose.js'
export type { FulltextTerm } from './fulltext/parse.js'
export { searchedTerms } from './fulltext/searched-terms.js'
export { isSpecialName, type NameInQuery, namesInConditions, namesInNxql, specialNames } from './names-in.js'
export { parseNxql } from './parser/query.js'
export { refusalOfConditions, refusalOfNxql } from './refusal.js'
export { isSortable, pairedSort, type Sort, sorted, splitCommas } from './sort.js'
export { type Bounds, compileAggregate, type Grouping, type Metric, type TermOrder } from './sql/aggregate.js'
export { compileNxql, type NxqlPlan, type NxqlScope } from './sql/compile.js'
export { fewOf } from './sql/few.js'
export type { NxqlPage, Statement } from './sql/page.js'
export { RECORD_COLUMNS } from './sql/record-columns.js'
export { compileRecords, type RecordPlan } from './sql/records.js'
export {
  ACL_IN_FORCE,
  type GatheredScopes,
  type Reach,
  readableOneByOne,
  readableText,
} from './sql/security.js'
export { specialType } from './sql/special.js'
