import { queryIds } from '../../../../core/content/documents/index.js'
import { quoteNxql } from '../../../../core/model/nxql/index.js'
import { type Enricher, each } from './enricher.js'

/** Whether the caller sees anything in a folder. */
export const hasContent: Enricher = {
  name: 'hasContent',
  enrich: each(async (document, { session }) => {
    const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(document.id)}
      AND ecm:mixinType <> 'HiddenInNavigation' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
    return { hasContent: (await queryIds(session, nxql, 1)).length > 0 }
  }),
}
