import { defineOperation, type Operation, type Value } from '../automation/index.js'
import {
  type DocumentPage,
  type PropertyValue,
  queryAndFetch,
  queryDocuments,
  queryIds,
  type Session,
} from '../documents/index.js'
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

const params = {
  language: { type: 'string', default: 'NXQL', values: ['NXQL'] },
  queryParams: { type: 'stringlist', description: 'Values for the question marks of the query, in order.' },
  namedParameters: { type: 'properties', description: 'Values for the :names of the query.' },
  currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
  pageSize: { type: 'integer', description: 'Results of a page; all of them when absent or 0.' },
  sortBy: { type: 'stringlist' },
  sortOrder: { type: 'stringlist', values: ['ASC', 'DESC'], description: 'Descending when absent.' },
} as const

type Given = {
  query: string
  language: string
  queryParams?: readonly string[] | undefined
  namedParameters?: { [name: string]: PropertyValue } | undefined
  sortBy?: readonly string[] | undefined
  sortOrder?: readonly string[] | undefined
  currentPageIndex?: number | undefined
  pageSize?: number | undefined
  maxResults?: number | undefined
}

/** The query of a call, whose numbers have been looked at. */
const textOf = (given: Given, session: Session): string => {
  if (given.language.toUpperCase() !== 'NXQL')
    throw fail('badRequest', `language: '${given.language}' is not NXQL`)
  for (const name of ['currentPageIndex', 'pageSize', 'maxResults'] as const)
    requireNotNegative(given[name], name)
  return queryText({
    query: given.query,
    queryParams: given.queryParams ?? [],
    namedParameters: given.namedParameters ?? {},
    sortBy: given.sortBy ?? [],
    sortOrder: given.sortOrder ?? [],
    caller: session,
  })
}

const query = defineOperation({
  id: 'Repository.Query',
  aliases: ['Document.Query'],
  label: 'Query',
  category: 'Fetch',
  description: 'Finds documents by an NXQL query, as far as the caller may read them.',
  params: {
    query: { type: 'string', default: 'SELECT * FROM Document' },
    ...params,
    maxResults: { type: 'integer', description: 'Documents to find at most.' },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params: given }) =>
      runQuery(session, textOf(given, session), {
        pageSize: given.pageSize,
        currentPageIndex: given.currentPageIndex,
        maxResults: given.maxResults || MAX_RESULTS,
      }),
    ),
  ],
})

const resultSet = defineOperation({
  id: 'Repository.ResultSetQuery',
  aliases: ['ResultSet.PaginatedQuery'],
  label: 'ResultSet Query',
  category: 'Fetch',
  description:
    'Gives rows of what an NXQL query selects: properties, elements of lists, or COUNT, AVG, SUM, MIN and MAX.',
  params: {
    query: { type: 'string', isRequired: true },
    ...params,
    maxResults: { type: 'integer', description: 'Rows to count at most.' },
  },
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { session }, params: given }) => ({
      type: 'recordSet',
      value: await queryAndFetch(session, textOf(given, session), {
        pageSize: given.pageSize,
        currentPageIndex: given.currentPageIndex,
        maxResults: given.maxResults || undefined,
      }),
    })),
  ],
})

export const queryOperations: readonly Operation[] = [query, resultSet]
