import { getDocument, type Session, searchDocuments } from '../../../core/content/documents/index.js'
import { parseNxql, quoteNxql, sorted } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { parseQuery } from '../../parse/index.js'
import { documentsPage } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import {
  documentGroup,
  documentLists,
  pagingParameters,
  renderingQuery,
  searchQuery,
  sortParameters,
} from '../requests/index.js'
import type { Adapter } from './adapter.js'
import { listAdapter } from './list.js'

const DEFAULT_PAGE_SIZE = 50

/** The folder to search: the document itself, or the parent of a file. */
const scopeOf = ({ model }: Session, { type, facets, path, name }: DocumentRecord): string => {
  if (path === null) throw fail('badRequest', `fullText: ${name} is a version and lies in no folder`)
  if (model.facetsOf(type, facets).includes('Folderish')) return path
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

const fullTextQuery = (text: string, scope: string): string =>
  `SELECT * FROM Document WHERE ecm:fulltext = ${quoteNxql(text)} AND ecm:isVersion = 0 AND ecm:path STARTSWITH ${quoteNxql(scope)}`

export const searchAdapterDocs = documentGroup({ tag: 'queries' })({
  searchHere: [
    'GET /@search',
    'An NXQL query, or a full-text search in the folder',
    { query: documentLists.Search.query.extend(renderingQuery.shape), 200: documentsPage },
  ],
})

/**
 * `@search`: an NXQL query, which the document does not limit, or a full-text search in the folder
 * (rest-documents.md §7).
 */
export const searchAdapter = (services: RestServices): Adapter => ({
  ...listAdapter(services, {
    name: 'search',
    list: async ({ c, ref }) => {
      const { pageSize = DEFAULT_PAGE_SIZE, ...paging } = pagingParameters(
        c,
        services.platform.settings.countLimit,
      )
      const { query, fullText, orderBy: orderField } = parseQuery(c, searchQuery)
      const session = services.platform.readSession(c.get('principal'))
      const document = await getDocument(session, ref)
      const order = orderField === undefined ? '' : ` ORDER BY ${orderField}`
      const written = query ?? `${fullTextQuery(fullText!, scopeOf(session, document))}${order}`
      return searchDocuments(session, sorted(parseNxql(written), sortParameters(c)), { pageSize, ...paging })
    },
  }),
  isCostly: true,
})
