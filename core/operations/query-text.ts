import { filledIn, type PropertyValue, type QueryCaller } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { bindParameters, type NxqlParameter } from '../nxql/index.js'

const PROPERTY = /^[A-Za-z][\w:./*-]*$/

type Sorting = { sortBy: readonly string[]; sortOrder: readonly string[] }

/**
 * The ORDER BY clause, with a leading space, that request parameters ask for: property and order are paired
 * by position, and a missing order means descending (nxql-search.md §1.1).
 *
 * @throws badRequest for what cannot be a property, or is neither ASC nor DESC.
 */
const orderByClause = ({ sortBy, sortOrder }: Sorting): string => {
  const items = sortBy.map((property, position) => {
    if (!PROPERTY.test(property)) throw fail('badRequest', `sortBy: '${property}' is not a property`)
    const order = (sortOrder[position] || 'DESC').toUpperCase()
    if (order !== 'ASC' && order !== 'DESC')
      throw fail('badRequest', `sortOrder: '${sortOrder[position]}' is not ASC or DESC`)
    return `${property} ${order}`
  })
  return items.length === 0 ? '' : ` ORDER BY ${items.join(', ')}`
}

const isScalar = (value: PropertyValue): value is null | string | number | boolean =>
  typeof value !== 'object' || value === null

const namedParameter = (name: string, value: PropertyValue, caller: QueryCaller): NxqlParameter => {
  const values = (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === 'string' ? filledIn(item, caller) : item,
  )
  if (!values.every(isScalar))
    throw fail(
      'badRequest',
      `namedParameters: ${name} must be a text, a number, a boolean or a list of these`,
    )
  return Array.isArray(value) ? values : (values[0] ?? null)
}

/**
 * Values for named parameters, with what the server fills in.
 *
 * @throws badRequest for a value that no query can hold.
 */
export const namedValues = (
  values: { [name: string]: PropertyValue },
  caller: QueryCaller,
): { [name: string]: NxqlParameter } =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, namedParameter(name, value, caller)]),
  )

export type QueryRequest = Sorting & {
  query: string
  queryParams: readonly string[]
  namedParameters: { [name: string]: PropertyValue }
  caller: QueryCaller
}

/**
 * The NXQL text of a request, with its parameters bound and its sorting appended.
 *
 * @throws badRequest when parameters are missing, left over or of no use in a query.
 */
export const queryText = ({
  query,
  queryParams,
  namedParameters,
  caller,
  ...sorting
}: QueryRequest): string => {
  const positional = queryParams.map((value) => filledIn(value, caller))
  return `${bindParameters(query, positional, namedValues(namedParameters, caller))}${orderByClause(sorting)}`
}
