export type {
  Comparison,
  ComparisonOperator,
  Condition,
  FunctionCall,
  In,
  Literal,
  Operand,
  OrderItem,
  Predicate,
  Query,
  Reference,
  SelectItem,
  StringLiteral,
  Value,
} from './ast.js'
export { bindParameters, type NxqlParameter, quoteNxql } from './bind-parameters.js'
export { narrowed, parseConditions, parseReference } from './compose.js'
export { type FulltextTerm, parseFulltext } from './fulltext/parse.js'
export { searchedTerms } from './fulltext/searched-terms.js'
export type { Bounds, Grouping, Metric, TermOrder } from './grouping.js'
export { isSpecialName, type NameInQuery, namesInConditions, namesInNxql, specialNames } from './names-in.js'
export { isoInstant } from './parser/literals.js'
export { parseNxql } from './parser/query.js'
export { refusalOfConditions, refusalOfNxql } from './refusal.js'
export { isSortable, pairedSort, type Sort, sorted, splitCommas } from './sort.js'
export { specialType } from './special.js'
