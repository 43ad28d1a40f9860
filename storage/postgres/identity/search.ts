import { and, asc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { FieldMatch, IdentitySearch } from '../../../core/access/identity/index.js'
import { groups, users } from '../../../schema/identity.js'
import { likePattern } from '../rows/index.js'

/** Columns by the wire's names of fields; every other field is among the properties. */
export type SearchedFields = { columns: { [field: string]: PgColumn }; properties: PgColumn; name: PgColumn }

export const USER_FIELDS: SearchedFields = {
  columns: {
    username: users.username,
    firstName: users.firstName,
    lastName: users.lastName,
    email: users.email,
    company: users.company,
  },
  properties: users.properties,
  name: users.username,
}

export const GROUP_FIELDS: SearchedFields = {
  columns: { groupname: groups.groupname, grouplabel: groups.label, description: groups.description },
  properties: groups.properties,
  name: groups.groupname,
}

const fieldOf = ({ columns, properties }: SearchedFields, field: string): PgColumn | SQL =>
  Object.hasOwn(columns, field) ? columns[field]! : sql`${properties}->>${field}::text`

const conditionOf = (fields: SearchedFields, { field, value, match }: FieldMatch): SQL => {
  const column = fieldOf(fields, field)
  if (match === 'equal') return eq(column as PgColumn, value)
  if (match === 'equalIgnoringCase') return sql`lower(${column}) = lower(${value}::text)`
  return ilike(column as PgColumn, likePattern(value, match))
}

/** The condition of a search; undefined when it has none. */
export const searchCondition = (
  { anyOf = [], allOf = [] }: IdentitySearch,
  fields: SearchedFields,
): SQL | undefined => {
  const conditions = (matches: readonly FieldMatch[]) => matches.map((match) => conditionOf(fields, match))
  return and(or(...conditions(anyOf)), ...conditions(allOf))
}

/** Order of a search: by a field, and by the name among equals. */
export const searchOrder = ({ sortField }: IdentitySearch, fields: SearchedFields): SQL[] => {
  const { name } = fields
  const sorted = sortField === undefined ? name : fieldOf(fields, sortField)
  return sorted === name ? [sql`lower(${name})`, asc(name)] : [sql`lower(${sorted}) nulls last`, asc(name)]
}
