import type { FieldType } from '../../content-model/index.js'

/**
 * How values compare: texts by their bytes, ids by their text, dates as ISO 8601 in UTC. `day`: `yyyy-MM-dd`, the
 * outcome of the DATE cast. `opaque`: a blob or complex value, which is there or not.
 */
export type Kind = 'text' | 'id' | 'number' | 'boolean' | 'date' | 'day' | 'opaque'

const KINDS: Readonly<Record<FieldType, Kind>> = {
  string: 'text',
  binary: 'text',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
  blob: 'opaque',
  complex: 'opaque',
}

export const kindOf = (type: FieldType): Kind => KINDS[type]
