import { queryIds } from '../../../../core/content/documents/index.js'
import { quoteNxql } from '../../../../core/model/nxql/index.js'
import { type Enricher, each } from './enricher.js'

/** Whether the caller sees a folder in a folder: trees show an arrow for it. */
export const hasFolderishChild: Enricher = {
  name: 'hasFolderishChild',
  enrich: each(async (document, { session }) => {
    const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(document.id)}
      AND ecm:mixinType = 'Folderish' AND ecm:mixinType <> 'HiddenInNavigation'
      AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
    return { hasFolderishChild: (await queryIds(session, nxql, 1)).length > 0 }
  }),
}
