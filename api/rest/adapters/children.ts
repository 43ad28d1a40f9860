import { getDocument, queryDocuments } from '../../../core/content/documents/index.js'
import { parseNxql, quoteNxql, sorted } from '../../../core/model/nxql/index.js'
import { documentsPage } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import {
  documentGroup,
  documentLists,
  pagingParameters,
  renderingQuery,
  sortParameters,
} from '../requests/index.js'
import type { Adapter } from './adapter.js'
import { listAdapter } from './list.js'

const DEFAULT_PAGE_SIZE = 50
const DEFAULT_SORT = [{ field: 'dc:title', isAscending: true }]

export const childrenDocs = documentGroup({ tag: 'documents' })({
  getChildren: [
    'GET /@children',
    'Children that are neither hidden, trashed nor versions; by title unless the request sorts otherwise',
    { query: documentLists.Children.query.extend(renderingQuery.shape), 200: documentsPage },
  ],
})

/** `@children`: a page of the direct children that are neither hidden, trashed nor versions (rest-documents.md §7). */
export const childrenAdapter = (services: RestServices): Adapter =>
  listAdapter(services, {
    name: 'children',
    list: async ({ c, ref }) => {
      const { pageSize = DEFAULT_PAGE_SIZE, ...paging } = pagingParameters(
        c,
        services.platform.settings.countLimit,
      )
      const sort = sortParameters(c) ?? DEFAULT_SORT
      const session = services.platform.readSession(c.get('principal'))
      const parent = await getDocument(session, ref)
      const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(parent.id)}
        AND ecm:mixinType <> 'HiddenInNavigation' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
      return queryDocuments(session, sorted(parseNxql(nxql), sort), { pageSize, ...paging })
    },
  })
