import { type ComparisonOperator, INVERSE } from '../../../../core/model/nxql/index.js'
import { isUuid } from '../../../../core/model/properties/index.js'
import type { Binder } from '../binder.js'
import type { Context } from '../context.js'
import type { Scalar, ScalarKind } from '../places/scalar.js'

/**
 * Tests of one scalar as SQL. Each takes `negated`, since a negation is pushed down to the tests: under a
 * wildcard, "some element is not" is another question than "not some element is".
 */

const SQL_TYPES: Readonly<Record<Exclude<ScalarKind, 'opaque' | 'boolean'>, string>> = {
  text: 'text',
  isoDate: 'text',
  day: 'text',
  instant: 'timestamptz',
  number: 'numeric',
  uuid: 'uuid',
}

const bind = (binder: Binder, kind: ScalarKind, text: string): string =>
  kind === 'boolean' || kind === 'opaque' ? text.toUpperCase() : binder.bind(text, SQL_TYPES[kind])

/** One of the values, or none of them. `= TRUE` keeps its constant, so that a partial index can serve. */
export const isOneOf = (
  { scalar: { kind, sql }, values, negated }: { scalar: Scalar; values: readonly string[]; negated: boolean },
  binder: Binder,
): string => {
  const known = kind === 'uuid' ? values.filter(isUuid) : values
  const [only] = known
  // Text that is no id equals none; the comparison with itself keeps null for a null column.
  if (only === undefined) return `${sql} ${negated ? '=' : '<>'} ${sql}`
  if (known.length === 1) return `${sql} ${negated ? '<>' : '='} ${bind(binder, kind, only)}`
  if (kind === 'boolean' || kind === 'opaque')
    return `${sql} ${negated ? 'NOT IN' : 'IN'} (${known.join(', ').toUpperCase()})`
  const list = binder.bind(known, `${SQL_TYPES[kind]}[]`)
  return negated ? `${sql} <> ALL(${list})` : `${sql} = ANY(${list})`
}

/**
 * Ids are compared by their text, as anything may stand on the other side, and texts by their bytes: in the same
 * order on every database, and as the indexes have them.
 */
export const comparable = ({ kind, sql }: Scalar): Scalar => {
  if (kind === 'uuid') return { kind: 'text', sql: `${sql}::text COLLATE "C"` }
  return { kind, sql: kind === 'text' ? `${sql} COLLATE "C"` : sql }
}

/** An id as the database writes it: ids and such texts have the same order. */
const isCanonicalUuid = (text: string): boolean => isUuid(text) && text === text.toLowerCase()

/** As `comparable`, but for ids beside whole ids, whose order an index has. */
const comparableWith = (scalar: Scalar, constants: readonly string[]): Scalar =>
  scalar.kind === 'uuid' && constants.every(isCanonicalUuid) ? scalar : comparable(scalar)

const asText = ({ kind, sql }: Scalar): string => (kind === 'uuid' ? `${sql}::text` : sql)

export const isOrdered = (
  test: { scalar: Scalar; operator: ComparisonOperator; value: string; negated: boolean },
  binder: Binder,
): string => {
  const { kind, sql } = comparableWith(test.scalar, [test.value])
  const operator = test.negated ? INVERSE[test.operator] : test.operator
  return `${sql} ${operator} ${bind(binder, kind, test.value)}`
}

export const isBetween = (
  test: { scalar: Scalar; low: string; high: string; negated: boolean },
  binder: Binder,
): string => {
  const { kind, sql } = comparableWith(test.scalar, [test.low, test.high])
  const not = test.negated ? 'NOT ' : ''
  return `${sql} ${not}BETWEEN ${bind(binder, kind, test.low)} AND ${bind(binder, kind, test.high)}`
}

/** Beyond short patterns, a function compares, which refuses what would take too long. */
export const isLike = (
  test: { scalar: Scalar; pattern: string; ignoreCase: boolean; negated: boolean },
  { binder, plainPatterns }: Pick<Context, 'binder' | 'plainPatterns'>,
): string => {
  const bound = binder.bind(test.pattern, 'text')
  const [text, pattern] = [asText(test.scalar), bound].map((sql) => (test.ignoreCase ? `lower(${sql})` : sql))
  if (plainPatterns(Buffer.byteLength(test.pattern)))
    return `${text} ${test.negated ? 'NOT LIKE' : 'LIKE'} ${pattern}`
  return `${test.negated ? 'NOT ' : ''}archivolt_like(${text}, ${pattern})`
}

/** The value itself, or one below it where `/` separates levels, as in the keys of a hierarchical vocabulary. */
export const isAtOrUnder = (
  test: { scalar: Scalar; value: string; negated: boolean },
  binder: Binder,
): string => {
  const sql = asText(test.scalar)
  const prefix = test.value.endsWith('/') ? test.value : `${test.value}/`
  const under = `starts_with(${sql}, ${binder.bind(prefix, 'text')})`
  return `${test.negated ? 'NOT ' : ''}(${sql} = ${binder.bind(test.value, 'text')} OR ${under})`
}
