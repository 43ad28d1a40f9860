import { defineOperation, type Operation, type Value } from '../automation/index.js'
import { type DocumentPage, queryDocuments, queryIds, type Session } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { queryText } from './query-text.js'

/** A list larger than this is worked through by pages. */
const MAX_RESULTS = 1_000_000

const requireNotNegative = (value: number | undefined, name: string): void => {
  if (value !== undefined && value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
}

const cut = (page: DocumentPage, maxResults: number): DocumentPage => ({
  ...page,
  resultsCount: Math.min(page.resultsCount, maxResults),
  entries: page.entries.slice(0, Math.max(0, maxResults - page.offset)),
})

type Page = { pageSize: number | undefined; currentPageIndex: number | undefined; maxResults: number }

const pageValue = (page: DocumentPage): Value => ({
  type: 'documents',
  ids: page.entries.map((document) => document.id),
  records: page.entries,
  page,
})

/**
 * A page when the caller asks for one. Otherwise everything that matches flows on, by id, for a loop to
 * walk, while an answer over HTTP shows the first page.
 */
const runQuery = async (session: Session, nxql: string, { maxResults, ...paging }: Page): Promise<Value> => {
  const page = cut(await queryDocuments(session, nxql, paging), maxResults)
  const isPaged = Boolean(paging.pageSize) || Boolean(paging.currentPageIndex)
  if (isPaged || page.entries.length >= page.resultsCount) return pageValue(page)
  return { type: 'documents', ids: await queryIds(session, nxql, maxResults), page }
}

const query = defineOperation({
  id: 'Repository.Query',
  aliases: ['Document.Query'],
  label: 'Query',
  category: 'Fetch',
  description: 'Finds documents by an NXQL query, as far as the caller may read them.',
  params: {
    query: { type: 'string', default: 'SELECT * FROM Document' },
    language: { type: 'string', default: 'NXQL', values: ['NXQL'] },
    queryParams: { type: 'stringlist', description: 'Values for the question marks of the query, in order.' },
    namedParameters: { type: 'properties', description: 'Values for the :names of the query.' },
    currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
    pageSize: { type: 'integer', description: 'Documents of a page; everything when absent or 0.' },
    sortBy: { type: 'stringlist' },
    sortOrder: { type: 'stringlist', values: ['ASC', 'DESC'], description: 'Descending when absent.' },
    maxResults: { type: 'integer', description: 'Documents to find at most.' },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params }) => {
      if (params.language.toUpperCase() !== 'NXQL')
        throw fail('badRequest', `language: '${params.language}' is not NXQL`)
      for (const name of ['currentPageIndex', 'pageSize', 'maxResults'] as const)
        requireNotNegative(params[name], name)
      const nxql = queryText({
        query: params.query,
        queryParams: params.queryParams ?? [],
        namedParameters: params.namedParameters ?? {},
        sortBy: params.sortBy ?? [],
        sortOrder: params.sortOrder ?? [],
        caller: session,
      })
      return runQuery(session, nxql, {
        pageSize: params.pageSize,
        currentPageIndex: params.currentPageIndex,
        maxResults: params.maxResults || MAX_RESULTS,
      })
    }),
  ],
})

export const queryOperations: readonly Operation[] = [query]
