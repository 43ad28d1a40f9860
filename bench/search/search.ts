import { documentsOr } from '../harness/documents.js'
import type { Measure, MeasureContext } from '../harness/types.js'
import { measureBulkIndexing } from './bulk-indexing.js'
import { openSearched, untilIndexIs } from './open.js'
import { measureSearches } from './searches.js'
import { measureWrites } from './writes.js'

/** Of the repository that is searched. */

const open = (context: MeasureContext) => openSearched(context, documentsOr(context.isQuick ? 5_000 : 50_000))

const openIndexed = async (context: MeasureContext) => {
  const searched = await open(context)
  const apiUrl = await searched.startProduct()
  await untilIndexIs('live', searched)
  return { searched, apiUrl }
}

/** Building the search index against bare Elasticsearch. */
export const measureIndexing: Measure = async (context) =>
  measureBulkIndexing(await open(context), context.isQuick ? 1 : 3)

/** Searches against bare Elasticsearch. */
export const measureSearch: Measure = async (context) => {
  const { searched, apiUrl } = await openIndexed(context)
  return measureSearches(searched, { apiUrl, isQuick: context.isQuick })
}

/** How far the search index lags behind writes, and what they cost beside it. */
export const measureIndexLag: Measure = async (context) => {
  const { searched, apiUrl } = await openIndexed(context)
  return measureWrites(searched, { apiUrl, isQuick: context.isQuick })
}
