import type { ComparisonOperator, Term } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { interruptible } from '../interruptible.js'
import { placeSql } from '../places/place.js'
import type { Scalar } from '../places/scalar.js'
import { someElement, type Table } from '../places/tables.js'
import { comparable } from './scalar-tests.js'

/** A term as SQL, with the elements that it looks through. */
type TermSql = { scalar: Scalar; tables: readonly Table[] }

const termSql = (term: Term, context: Context): TermSql => {
  switch (term.kind) {
    case 'value': {
      const { scalar, wildcards } = placeSql(term.place, context)
      return { scalar: { ...scalar, sql: interruptible(scalar.sql, context) }, tables: wildcards }
    }
    case 'constant': {
      const { type, text } = term
      if (type === 'number')
        return { scalar: { kind: type, sql: context.binder.bind(text, 'numeric') }, tables: [] }
      const kind = type === 'date' ? 'isoDate' : 'text'
      return { scalar: { kind, sql: context.binder.bind(text, 'text') }, tables: [] }
    }
    case 'arithmetic': {
      const [left, right] = [termSql(term.left, context), termSql(term.right, context)]
      const divisor = term.operator === '/' ? `NULLIF(${right.scalar.sql}, 0)` : right.scalar.sql
      return {
        scalar: { kind: 'number', sql: `(${left.scalar.sql} ${term.operator} ${divisor})` },
        tables: [...left.tables, ...right.tables],
      }
    }
  }
}

/** Dates of both kinds meet as text: a stored one that is none must not fail the query. */
const asComparable = (scalar: Scalar): string =>
  scalar.kind === 'instant'
    ? `to_char(${scalar.sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C"`
    : comparable(scalar).sql

export const compareTerms = (
  { left, operator, right }: { left: Term; operator: ComparisonOperator; right: Term },
  context: Context,
): string => {
  const [a, b] = [termSql(left, context), termSql(right, context)]
  return someElement(
    [...a.tables, ...b.tables],
    `${asComparable(a.scalar)} ${operator} ${asComparable(b.scalar)}`,
  )
}
