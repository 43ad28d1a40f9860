import {
  and,
  eq,
  gt,
  gte,
  ilike,
  inArray,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql as text,
} from 'drizzle-orm'
import type { AuditCondition, AuditField } from '../../../core/content/stores/index.js'
import { auditEntries } from '../../../schema/audit.js'

type Compare = Extract<AuditCondition, { kind: 'compare' }>

const COMPARED: { readonly [operator in Compare['operator']]: typeof eq } = {
  '=': eq,
  '<>': ne,
  '<': lt,
  '>': gt,
  '<=': lte,
  '>=': gte,
}

/** Where the value of a field stands. */
export const placeOf = (field: AuditField): SQLWrapper =>
  'column' in field
    ? auditEntries[field.column]
    : text`(${auditEntries.extended} #>> ARRAY[${text.join(
        field.extended.map((key) => text`${key}::text`),
        text`, `,
      )}])`

const joined = (condition: SQL | undefined): SQL => condition ?? text`true`

/** Conditions on entries as SQL. */
export const testOf = (condition: AuditCondition): SQL => {
  switch (condition.kind) {
    case 'and':
      return joined(and(...condition.operands.map(testOf)))
    case 'or':
      return joined(or(...condition.operands.map(testOf)))
    case 'not':
      return not(testOf(condition.operand))
    case 'null':
      return isNull(placeOf(condition.field))
    case 'in':
      return inArray(placeOf(condition.field) as SQL, [...condition.values])
    case 'like': {
      const matches = condition.ignoresCase ? ilike : like
      return matches(placeOf(condition.field) as SQL, condition.pattern)
    }
    default:
      return COMPARED[condition.operator](placeOf(condition.field) as SQL, condition.value)
  }
}
