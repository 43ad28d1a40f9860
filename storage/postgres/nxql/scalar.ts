import type { FieldType } from '../../../core/model/content-model/index.js'
import { asJson, asText, type JsonPath } from './json-path.js'

/**
 * How a value is compared. `isoDate`: UTC text with milliseconds, sorts as it is. `instant`: a timestamp
 * column. `day`: `yyyy-MM-dd`, the outcome of the DATE cast. `opaque`: a blob or complex value, which is
 * there or not.
 */
export type ScalarKind = 'text' | 'isoDate' | 'day' | 'instant' | 'number' | 'boolean' | 'uuid' | 'opaque'

/** A typed SQL expression with one value for each row. */
export type Scalar = { kind: ScalarKind; sql: string }

const KINDS: Readonly<Record<FieldType, ScalarKind>> = {
  string: 'text',
  binary: 'text',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'isoDate',
  blob: 'opaque',
  complex: 'opaque',
}

/**
 * A stored property as its declared type. A value of another JSON type (the model changed since it was
 * written) counts as null rather than failing the whole query.
 */
export const jsonScalar = (path: JsonPath, type: FieldType): Scalar => {
  const kind = KINDS[type]
  const json = asJson(path)
  if (kind === 'number') {
    return { kind, sql: `(CASE jsonb_typeof(${json}) WHEN 'number' THEN ${json}::numeric END)` }
  }
  if (kind === 'boolean') {
    return { kind, sql: `(CASE ${json} WHEN 'true'::jsonb THEN TRUE WHEN 'false'::jsonb THEN FALSE END)` }
  }
  return { kind, sql: kind === 'isoDate' ? `${asText(path)} COLLATE "C"` : asText(path) }
}

/** The value's day, for the DATE cast; undefined when it is no date. */
export const dayOf = ({ kind, sql }: Scalar): Scalar | undefined => {
  if (kind === 'isoDate') return { kind: 'day', sql: `left(${sql}, 10) COLLATE "C"` }
  if (kind !== 'instant') return undefined
  return { kind: 'day', sql: `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C"` }
}
