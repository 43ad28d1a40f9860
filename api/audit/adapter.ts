import { getDocument } from '../../core/content/documents/index.js'
import { documentHistory, logEntriesEntity } from '../../core/search/audit/index.js'
import { parseQuery } from '../parse/index.js'
import {
  type Adapter,
  documentGroup,
  entityResponse,
  pagingParameters,
  type RestServices,
  requireJsonAccepted,
  sortParameters,
} from '../rest/index.js'
import { entryFilters, historyQuery, logEntries } from './audit.schema.js'

export const auditAdapterDocs = documentGroup({ tag: 'documents' })({
  getAudit: [
    'GET /@audit',
    'What has happened to a document, newest first',
    {
      description: 'Of a version also what happened to its live document until the version was made.',
      query: historyQuery,
      200: logEntries,
    },
  ],
})

/** `@audit`: the history of a document (rest-documents.md §7). */
export const auditAdapter = ({ platform }: RestServices): Adapter => ({
  name: 'audit',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const filters = parseQuery(c, entryFilters)
      const request = { ...pagingParameters(c), sort: sortParameters(c) }
      const session = platform.readSession(c.get('principal'))
      const page = await documentHistory(session, await getDocument(session, ref), {
        ...request,
        named: {
          'bas:eventIds': filters.eventId,
          'bas:eventCategories': filters.category,
          'bas:principalNames': filters.principalName,
          ...(filters.startEventDate && { 'bas:startDate': filters.startEventDate }),
          ...(filters.endEventDate && { 'bas:endDate': filters.endEventDate }),
        },
      })
      return entityResponse(logEntriesEntity(page))
    },
  },
})
