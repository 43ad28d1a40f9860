/**
 * The syntax tree of an NXQL query (reference: nxql-search.md §2).
 *
 * Every node carries `offset`, the 0-based position of its first character in the query text. The tree
 * holds the whole language; which parts a backend answers is the business of its compiler.
 */

export type TypeName = { name: string; offset: number }

export type Query = {
  select: Select
  from: { kind: 'type' | 'location'; names: readonly TypeName[] }
  where: Predicate | null
  orderBy: readonly OrderItem[]
  limit: number | null
  /** Rows to skip, the OFFSET clause. */
  skip: number | null
}

export type Select =
  | { kind: 'all'; distinct: boolean; offset: number }
  | { kind: 'items'; distinct: boolean; items: readonly SelectItem[]; offset: number }

export type SelectItem = {
  operand: Operand
  alias: string | null
  /** The operand as written, the key of its column in a result row. */
  source: string
}

export type OrderItem = { reference: Reference; descending: boolean }

// `INDEX(f1,f2^3) ANALYZER(a) OPERATOR(op)`, in a comment that starts with `+ES:` before a reference (§5).
export type Hint = {
  index: readonly { field: string; boost: number | null }[]
  analyzer: string | null
  operator: string | null
}

export type Reference = {
  kind: 'reference'
  name: string
  /** Set when the reference is written `DATE(name)`: compared by its day. */
  cast: 'DATE' | null
  hint: Hint | null
  offset: number
}

export type StringLiteral = { kind: 'string'; value: string; offset: number }

/** `text` is the canonical decimal form: a 64-bit integer does not fit a JavaScript number. */
export type NumberLiteral = { kind: 'integer' | 'double'; text: string; offset: number }

/** `date`: `yyyy-MM-dd`. `timestamp`: ISO 8601 in UTC with milliseconds. */
export type DateLiteral = { kind: 'date' | 'timestamp'; value: string; offset: number }

export type Literal = StringLiteral | NumberLiteral | DateLiteral

export type FunctionCall = { kind: 'function'; name: string; args: readonly Operand[]; offset: number }

export type Arithmetic = {
  kind: 'arithmetic'
  operator: '+' | '-' | '*' | '/'
  left: Operand
  right: Operand
  offset: number
}

export type Operand = Reference | Literal | FunctionCall | Arithmetic

/** What may stand in IN and BETWEEN. */
export type Value = Literal | FunctionCall

export type ComparisonOperator = '=' | '<>' | '<' | '>' | '<=' | '>='

export type Comparison = {
  kind: 'comparison'
  operator: ComparisonOperator
  left: Operand
  right: Operand
  offset: number
}

export type In = {
  kind: 'in'
  reference: Reference
  values: readonly Value[]
  negated: boolean
  offset: number
}

export type Between = {
  kind: 'between'
  reference: Reference
  low: Value
  high: Value
  negated: boolean
  offset: number
}

export type Like = {
  kind: 'like'
  reference: Reference
  pattern: StringLiteral
  ignoreCase: boolean
  negated: boolean
  offset: number
}

export type StartsWith = { kind: 'startsWith'; reference: Reference; value: StringLiteral; offset: number }

export type IsNull = { kind: 'isNull'; reference: Reference; negated: boolean; offset: number }

/** A predicate about one place of the document. */
export type Condition = Comparison | In | Between | Like | StartsWith | IsNull

export type Predicate =
  | { kind: 'and' | 'or'; operands: readonly Predicate[]; offset: number }
  | { kind: 'not'; operand: Predicate; offset: number }
  /** `(a = 1) = (b = 2)`: two predicates with the same, or with a different, outcome. */
  | { kind: 'equivalence'; left: Predicate; right: Predicate; negated: boolean; offset: number }
  | Condition

export type Expression = Operand | Predicate
