import type { ValuePlace } from '../../../../core/model/nxql/index.js'
import { asJson, asText, type JsonPath } from './json-path.js'

/**
 * How a value is compared. `isoDate`: UTC text with milliseconds, sorts as it is. `instant`: a timestamp
 * column. `day`: `yyyy-MM-dd`, the outcome of the DATE cast. `opaque`: a blob or complex value, which is
 * there or not.
 */
export type ScalarKind = 'text' | 'isoDate' | 'day' | 'instant' | 'number' | 'boolean' | 'uuid' | 'opaque'

/** A typed SQL expression with one value for each row. */
export type Scalar = { kind: ScalarKind; sql: string }

/** The integers of 64 bits that no number of JSON holds exactly are stored as texts of their digits. */
const EXACT_LONG = '^-?[1-9][0-9]{15,18}$'

/**
 * A stored property as its declared type. A value of another JSON type (the model changed since it was
 * written) counts as null rather than failing the whole query.
 */
export const jsonScalar = (path: JsonPath, type: ValuePlace['type']): Scalar => {
  const json = asJson(path)
  switch (type) {
    case 'number':
      return {
        kind: type,
        sql: `(CASE jsonb_typeof(${json}) WHEN 'number' THEN ${json}::numeric WHEN 'string' THEN substring(${asText(path)}, '${EXACT_LONG}')::numeric END)`,
      }
    case 'boolean':
      return {
        kind: type,
        sql: `(CASE ${json} WHEN 'true'::jsonb THEN TRUE WHEN 'false'::jsonb THEN FALSE END)`,
      }
    case 'date':
    case 'day':
      return { kind: 'isoDate', sql: `${asText(path)} COLLATE "C"` }
    case 'opaque':
      return { kind: type, sql: asText(path) }
    default:
      return { kind: 'text', sql: asText(path) }
  }
}

/** The day of a date, for the DATE cast. */
export const dayOf = ({ kind, sql }: Scalar): Scalar => ({
  kind: 'day',
  sql:
    kind === 'instant'
      ? `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C"`
      : `left(${sql}, 10) COLLATE "C"`,
})
