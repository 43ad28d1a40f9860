import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Directory, type EntryQuery, wordsOf } from '../../../core/content/directories/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { directoryEntries } from '../../../schema/directories.js'
import { likePattern } from '../rows/index.js'

const { directory: DIRECTORY, id: ID, properties: PROPERTIES, ordering: ORDERING } = directoryEntries

const isNothing = (value: PropertyValue): boolean =>
  value === null || (Array.isArray(value) && value.length === 0)

/** By containment, which the index answers; a list field equals each of the values in it. */
const equals = ({ schema }: Directory, field: string, value: PropertyValue): SQL => {
  if (isNothing(value)) return sql`coalesce(${PROPERTIES}->${field}::text, 'null') in ('null', '[]')`
  const isItem = schema.fields.get(field)?.isList && !Array.isArray(value)
  return sql`${PROPERTIES} @> ${sql.param({ [field]: isItem ? [value] : value }, PROPERTIES)}::jsonb`
}

const containsWords = (field: string, value: PropertyValue): SQL | undefined =>
  and(
    sql`${PROPERTIES}->>${field}::text is not null`,
    ...wordsOf(String(value ?? '')).map(
      (word) => sql`${PROPERTIES}->>${field}::text ilike ${likePattern(word, 'subany')}`,
    ),
  )

/** What a query asks of the entries of a directory, whose own filters hold for all of them. */
export const conditionOf = (
  directory: Directory,
  { filter = {}, fulltext = [] }: Pick<EntryQuery, 'filter' | 'fulltext'> = {},
): SQL | undefined => {
  const fixed = Object.entries(directory.filters).map(([field, value]) => equals(directory, field, value))
  const asked = Object.entries(filter).map(([field, value]) => {
    if (fulltext.includes(field)) return containsWords(field, value)
    if (field === directory.idField && !isNothing(value)) return eq(ID, String(value))
    return equals(directory, field, value)
  })
  return and(eq(DIRECTORY, directory.name), ...fixed, ...asked)
}

/** The order of a query, then the directory's own. */
export const orderOf = ({ schema }: Directory, orderBy: EntryQuery['orderBy'] = []): SQL[] => {
  const asked = orderBy.map(({ field, isDescending }) => {
    const type = schema.fields.get(field)?.type
    const value =
      type === 'long' || type === 'double'
        ? sql`(${PROPERTIES}->>${field}::text)::numeric`
        : sql`lower(${PROPERTIES}->>${field}::text)`
    return isDescending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`
  })
  return [...asked, asc(ORDERING), asc(ID)]
}
