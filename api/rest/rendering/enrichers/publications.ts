import { queryDocuments } from '../../../../core/content/documents/index.js'
import { quoteNxql } from '../../../../core/model/nxql/index.js'
import { type Enricher, each } from './enricher.js'

/** How often a document, or a version of it, is published where the caller may see it. */
export const publications: Enricher = {
  name: 'publications',
  enrich: each(async (document, { session }) => {
    const series = document.versionSeriesId ?? document.id
    const nxql = `SELECT * FROM Document WHERE ecm:isProxy = 1 AND ecm:proxyVersionableId = ${quoteNxql(series)}`
    const { resultsCount } = await queryDocuments(session, nxql, { pageSize: 1 })
    return { publications: { resultsCount } }
  }),
}
