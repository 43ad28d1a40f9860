import { measureBulkIndexing } from './search/bulk-indexing.js'
import { openSearched, untilIndexIs } from './search/open.js'
import { measureSearches } from './search/searches.js'
import { measureWrites } from './search/writes.js'
import type { Measure } from './types.js'

/** Of the repository that is searched. */
const DOCUMENTS = Number(process.env.ARCHIVOLT_BENCH_DOCUMENTS ?? 50_000)

/** The search index against bare Elasticsearch: building it, searching it, and writing beside it. */
export const measureSearch: Measure = async (context) => {
  const { isQuick } = context
  const searched = await openSearched(context, isQuick ? 5_000 : DOCUMENTS)
  const building = await measureBulkIndexing(searched, isQuick ? 1 : 3)
  const apiUrl = await searched.startProduct()
  await untilIndexIs('live', searched)
  return [
    ...building,
    ...(await measureSearches(searched, { apiUrl, isQuick })),
    ...(await measureWrites(searched, { apiUrl, isQuick })),
  ]
}
