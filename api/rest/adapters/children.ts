import { getDocument, queryDocuments } from '../../../core/documents/index.js'
import { quoteNxql } from '../../../core/nxql/index.js'
import type { Adapter } from '../adapter.js'
import { documentsEntity } from '../documents-entity.js'
import { entityResponse, requireJsonAccepted } from '../negotiate.js'
import { pagingParameters } from '../parameters.js'
import type { RestServices } from '../services.js'
import { orderBy, sortParameters } from '../sort.js'

const DEFAULT_PAGE_SIZE = 50
const DEFAULT_SORT = [{ field: 'dc:title', isAscending: true }]

/** `@children`: a page of the direct children that are neither hidden, trashed nor versions (rest-documents.md §7). */
export const childrenAdapter = ({ platform, renderer }: RestServices): Adapter => ({
  name: 'children',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const { pageSize = DEFAULT_PAGE_SIZE, ...paging } = pagingParameters(c)
      const sort = sortParameters(c) ?? DEFAULT_SORT
      const session = platform.readSession(c.get('principal'))
      const parent = await getDocument(session, ref)
      const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quoteNxql(parent.id)}
        AND ecm:mixinType <> 'HiddenInNavigation' AND ecm:isVersion = 0 AND ecm:isTrashed = 0 ${orderBy(sort)}`
      const page = await queryDocuments(session, nxql, { pageSize, ...paging })
      return entityResponse(documentsEntity(page, await renderer(c, session).many(page.entries)))
    },
  },
})
