import { pairedSort, type Sort } from '../../../core/model/nxql/index.js'
import type { RequestContext } from '../../edge/index.js'
import { parseQuery } from '../../parse/index.js'
import { sortQuery } from './requests.schema.js'

/**
 * `sortBy` with `sortOrder` aligned to it: missing, or anything but `asc`, sorts descending
 * (rest-documents.md §9). Undefined when nothing is to be sorted by.
 *
 * @throws badRequest when something to sort by is no name of a property.
 */
export const sortParameters = (c: RequestContext): Sort | undefined => {
  const { sortBy, sortOrder } = parseQuery(c, sortQuery)
  return pairedSort(sortBy, sortOrder)
}
