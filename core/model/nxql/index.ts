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
export { bindParameters, type NxqlParameter, namedParametersIn, quoteNxql } from './bind-parameters.js'
export { narrowed, parseConditions, parseReference } from './compose.js'
export { foldedWords } from './fulltext/folded-words.js'
export type { FulltextQuery, FulltextTerm } from './fulltext/parse.js'
export { parseFulltext } from './fulltext/parse.js'
export { searchedTerms } from './fulltext/searched-terms.js'
export { withSynonyms } from './fulltext/synonyms.js'
export type { Bounds, Grouping, Metric, TermOrder } from './grouping.js'
export { isSpecialName, type NameInQuery, namesInConditions, namesInNxql, specialNames } from './names-in.js'
export { MAX_LENGTH as MAX_QUERY_LENGTH } from './parser/cursor.js'
export { parseNxql } from './parser/query.js'
export { conditionsOf, referencesIn } from './parts.js'
export { refusalOfConditions, refusalOfNxql } from './refusal.js'
export { testOf } from './semantics/conditions.js'
export { groupedPlace } from './semantics/grouped.js'
export { type SortKey, scoredSearch, sortKeyOf } from './semantics/order.js'
export { oriented } from './semantics/oriented.js'
export { addPeriod } from './semantics/period.js'
export type {
  AceColumn,
  SearchedWeight,
  Source,
  Step,
  ValuePlace,
} from './semantics/place.js'
export { variablesOf } from './semantics/place.js'
export { literalBeside } from './semantics/quoted.js'
export { refuse } from './semantics/refuse.js'
export {
  type Aggregate,
  type Column,
  checkSelection,
  type Selection,
  selectionOf,
} from './semantics/selection.js'
export { type SpecialProperty, specialType } from './semantics/special.js'
export { INVERSE } from './semantics/terms.js'
export type { Term, Test, ValueTest } from './semantics/tests.js'
export { typesOf } from './semantics/types.js'
export { evaluateFunction } from './semantics/values.js'
export { isSortable, pairedSort, type Sort, sorted, splitCommas } from './sort.js'
export { withSelect } from './with-select.js'
