import { filledIn, type QueryCaller } from '../../../content/documents/index.js'
import {
  bindParameters,
  type NxqlParameter,
  pairedSort,
  parseNxql,
  type Query,
  type Sort,
  sorted,
} from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'

type Sorting = { sortBy: readonly string[]; sortOrder: readonly string[] }

/** @throws badRequest for an order that is neither ASC nor DESC. */
const sortOf = ({ sortBy, sortOrder }: Sorting): Sort | undefined => {
  for (const order of sortOrder)
    if (order !== '' && !/^(asc|desc)$/i.test(order))
      throw fail('badRequest', `sortOrder: '${order}' is not ASC or DESC`)
  return pairedSort(sortBy, sortOrder)
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
 * The query of a request, with its parameters bound, in its own order when it asks for one.
 *
 * @throws badRequest when parameters are missing, left over or of no use in a query.
 */
export const boundQuery = ({
  query,
  queryParams,
  namedParameters,
  caller,
  ...sorting
}: QueryRequest): Query => {
  const positional = queryParams.map((value) => filledIn(value, caller))
  const text = bindParameters(query, positional, namedValues(namedParameters, caller))
  return sorted(parseNxql(text), sortOf(sorting))
}
