export type { Predicate, Query, Reference } from './ast.js'
export { bindParameters, type NxqlParameter, quoteNxql } from './bind-parameters.js'
export { parseNxql } from './parser/query.js'
export { compileNxql, type NxqlPage, type NxqlPlan, type Statement } from './sql/compile.js'
