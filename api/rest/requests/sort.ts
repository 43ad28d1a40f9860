import { pairedSort, type Sort } from '../../../core/model/nxql/index.js'
import type { RequestContext } from '../../edge/index.js'
import { parseQuery } from '../../parse/index.js'
import { sortQuery } from './requests.schema.js'

/**
 * `sortBy` with `sortOrder` aligned to it: missing, or anything but `asc`, sorts descending
 * (rest-documents.md §9). Undefined without `sortBy`.
 *
 * @throws badRequest when `sortBy` is no name of a property.
 */
export const sortParameters = (c: RequestContext): Sort | undefined => {
  const { sortBy, sortOrder } = parseQuery(c, sortQuery)
  return pairedSort(sortBy, sortOrder)
}
