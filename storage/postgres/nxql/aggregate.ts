import {
  type Bounds,
  type Grouping,
  groupedPlace,
  type Metric,
  type Query,
  type Reference,
} from '../../../core/model/nxql/index.js'
import { compileMatches, type NxqlScope } from './compile.js'
import type { Context } from './context.js'
import type { Statement } from './page.js'
import { d } from './places/names.js'
import { placeSql } from './places/place.js'
import type { Scalar } from './places/scalar.js'
import { timeZoneText } from './time-zone.js'

/** A date as an instant of Postgres; ISO text is parsed by row. */
const instant = ({ kind, sql }: Scalar): string => (kind === 'instant' ? sql : `(${sql})::timestamptz`)

const termsText = (
  { size, minCount, order, include, exclude }: Extract<Grouping, { kind: 'terms' }>,
  { binder }: Context,
): string => {
  const direction = order.isAscending ? 'ASC' : 'DESC'
  const sorted = order.by === 'term' ? `key ${direction}` : `count ${direction}, key`
  const conditions = ['value IS NOT NULL']
  if (include !== undefined) conditions.push(`value::text ~ ${binder.bind(`^(?:${include})$`, 'text')}`)
  if (exclude !== undefined) conditions.push(`value::text !~ ${binder.bind(`^(?:${exclude})$`, 'text')}`)
  return `SELECT value::text AS key, count(DISTINCT id) AS count FROM found WHERE ${conditions.join(' AND ')}
    GROUP BY 1 HAVING count(DISTINCT id) >= ${binder.bind(minCount, 'bigint')}
    ORDER BY ${sorted} LIMIT ${binder.bind(size, 'bigint')}`
}

const rangesText = (ranges: readonly Bounds[], scalar: Scalar, { binder }: Context): string => {
  const bound = (value: number | string): string => {
    if (scalar.kind === 'number') return binder.bind(String(value), 'numeric')
    if (scalar.kind === 'instant') return binder.bind(String(value), 'timestamptz')
    return binder.bind(String(value), 'text')
  }
  const counts = ranges.map(({ from, to }, position) => {
    const conditions = ['value IS NOT NULL']
    if (from !== null) conditions.push(`value >= ${bound(from)}`)
    if (to !== null) conditions.push(`value < ${bound(to)}`)
    return `SELECT '${position}' AS key, count(DISTINCT id) FILTER (WHERE ${conditions.join(' AND ')}) AS count FROM found`
  })
  return `${counts.join(' UNION ALL ')}`
}

const METRICS: { readonly [metric in Metric]: string } = {
  cardinality: 'count(DISTINCT value)',
  count: 'count(value)',
  sum: 'sum(value)',
  avg: 'avg(value)',
  min: 'min(value)',
  max: 'max(value)',
  missing: 'count(DISTINCT id) FILTER (WHERE value IS NULL)',
}

/**
 * Counts the documents that match a query, with the principal's read rights inside, by the values of a
 * property. A document counts once under each different value of a list.
 *
 * Rows: `key` (text) and `count` (bigint), by what `Grouping` says.
 *
 * @throws badRequest for a property without such values.
 */
export const compileAggregate = (
  query: Query,
  { reference, grouping }: { reference: Reference; grouping: Grouping },
  scope: NxqlScope,
): Statement => {
  const { context, from, conditions } = compileMatches(query, scope)
  const { scalar, list } = placeSql(groupedPlace(reference, grouping, scope.model), context)
  const elements = list === null ? '' : ` LEFT JOIN LATERAL ${list} ON TRUE`
  const isInstant = grouping.kind === 'dateHistogram'
  const value = isInstant ? instant(scalar) : scalar.sql
  const found = `WITH found AS (SELECT ${d.id}, ${value} AS value FROM ${from}${elements} WHERE ${conditions.join(' AND ')})`
  const text = groupingText(grouping, scalar, context)
  return { text: `${found} ${text}`, parameters: context.binder.values }
}

const groupingText = (grouping: Grouping, scalar: Scalar, context: Context): string => {
  const { bind } = context.binder
  switch (grouping.kind) {
    case 'terms':
      return termsText(grouping, context)
    case 'ranges':
      return rangesText(grouping.ranges, scalar, context)
    case 'histogram': {
      const interval = bind(String(grouping.interval), 'numeric')
      return `SELECT (floor(value / ${interval}) * ${interval})::text AS key, count(DISTINCT id) AS count
        FROM found WHERE value IS NOT NULL GROUP BY 1`
    }
    case 'dateHistogram': {
      const start =
        'unit' in grouping
          ? `date_trunc(${bind(grouping.unit, 'text')}, value, ${bind(timeZoneText(grouping.timeZone), 'text')})`
          : `date_bin(${bind(grouping.milliseconds, 'double precision')} * interval '1 millisecond', value, 'epoch'::timestamptz)`
      return `SELECT (extract(epoch FROM ${start}) * 1000)::bigint::text AS key, count(DISTINCT id) AS count
        FROM found WHERE value IS NOT NULL GROUP BY 1`
    }
    case 'metric': {
      const isText = scalar.kind !== 'number' && (grouping.metric === 'min' || grouping.metric === 'max')
      const metric = isText
        ? METRICS[grouping.metric].replace('value', 'value::text')
        : METRICS[grouping.metric]
      return `SELECT (${metric})::text AS key, count(*) AS count FROM found`
    }
  }
}
