import type { FieldMatch, IdentitySearch } from '../../../core/access/identity/index.js'
import type { Sql } from '../connection/index.js'
import { likePattern } from '../rows/index.js'

/** Columns by the wire's names of fields; every other field is among the properties. */
export type FieldColumns = { [field: string]: string }

export const USER_COLUMNS: FieldColumns = {
  username: 'username',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  company: 'company',
}

export const GROUP_COLUMNS: FieldColumns = {
  groupname: 'groupname',
  grouplabel: 'label',
  description: 'description',
}

const fieldOf = (sql: Sql, columns: FieldColumns, field: string) =>
  Object.hasOwn(columns, field) ? sql`${sql(columns[field]!)}` : sql`properties->>${field}`

const conditionOf = (sql: Sql, columns: FieldColumns, { field, value, match }: FieldMatch) => {
  const column = fieldOf(sql, columns, field)
  if (match === 'equal') return sql`${column} = ${value}`
  if (match === 'equalIgnoringCase') return sql`lower(${column}) = lower(${value})`
  return sql`${column} ILIKE ${likePattern(value, match)}`
}

const joined = (sql: Sql, matches: readonly FieldMatch[], columns: FieldColumns, word: 'AND' | 'OR') =>
  matches.reduce((all, match, index) => {
    const condition = conditionOf(sql, columns, match)
    if (index === 0) return condition
    return word === 'AND' ? sql`${all} AND ${condition}` : sql`${all} OR ${condition}`
  }, sql``)

/** The WHERE clause of a search; nothing when it has no condition. */
export const searchConditions = (sql: Sql, { anyOf, allOf }: IdentitySearch, columns: FieldColumns) => {
  const any = anyOf && anyOf.length > 0 ? sql`(${joined(sql, anyOf, columns, 'OR')})` : undefined
  const all = allOf && allOf.length > 0 ? joined(sql, allOf, columns, 'AND') : undefined
  if (any && all) return sql`WHERE ${any} AND ${all}`
  return any || all ? sql`WHERE ${any ?? all!}` : sql``
}

/** Order and page of a search: by a field, and by the name among equals. */
export const orderAndPage = (
  sql: Sql,
  { sortField, limit, offset = 0 }: IdentitySearch,
  { columns, name }: { columns: FieldColumns; name: string },
) => {
  const order =
    sortField && sortField !== name
      ? sql`lower(${fieldOf(sql, columns, sortField)}) NULLS LAST, ${sql(name)}`
      : sql`lower(${sql(name)}), ${sql(name)}`
  return sql`ORDER BY ${order} LIMIT ${limit ?? null} OFFSET ${offset}`
}
