import {
  type DocumentPage,
  MORE_THAN_COUNTED,
  queryAndFetch,
  queryDocuments,
  queryIds,
  type Session,
} from '../../../content/documents/index.js'
import type { Query } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type Value } from '../../language/index.js'
import { positive } from '../shared/parameters.js'
import { boundQuery } from './bound-query.js'
import { sourceOf } from './list-source.js'

/** Documents that flow on from one query at most. */
export const MAX_FLOWING = 1_000_000

const requireNotNegative = (value: number | undefined, name: string): void => {
  if (value !== undefined && value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
}

type Page = {
  pageSize: number | undefined
  currentPageIndex: number | undefined
  maxResults: number | undefined
}

const pageValue = (page: DocumentPage): Value => ({
  type: 'documents',
  ids: page.entries.map((document) => document.id),
  records: page.entries,
  page,
})

/**
 * Everything that matches, or its first `maxResults`, flows on by id for a loop, while an answer over HTTP
 * shows the first page. The count says when there is more than `maxResults`.
 *
 * @throws badRequest, without `maxResults`, for more than can flow: nothing may be left out unnoticed.
 */
const flowOn = async (session: Session, query: Query, maxResults: number | undefined): Promise<Value> => {
  const most = Math.min(maxResults ?? MAX_FLOWING, MAX_FLOWING)
  const page = await queryDocuments(session, query, { maxResults: most })
  const isCut = page.resultsCount === MORE_THAN_COUNTED
  if (isCut && maxResults !== most)
    throw fail('badRequest', `query: finds more than ${most} documents; take them by pages, with pageSize`)
  const wanted = isCut ? most : page.resultsCount
  const shown = { ...page, entries: page.entries.slice(0, wanted) }
  if (shown.entries.length === wanted) return pageValue(shown)
  return { type: 'documents', ids: await queryIds(session, query, most), page: shown }
}

/** A page when the caller asks for one. */
export const runQuery = (session: Session, query: Query, paging: Page): Promise<Value> =>
  paging.pageSize || paging.currentPageIndex
    ? queryDocuments(session, query, paging).then(pageValue)
    : flowOn(session, query, paging.maxResults)

const params = {
  language: { type: 'string', description: 'Language of the query.', default: 'NXQL', values: ['NXQL'] },
  queryParams: { type: 'stringlist', description: 'Values for the question marks of the query, in order.' },
  namedParameters: { type: 'properties', description: 'Values for the :names of the query.' },
  currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
  pageSize: { type: 'integer', description: 'Results of a page; all of them when absent or 0.' },
  sortBy: { type: 'stringlist', description: 'Properties to sort by, in this order.', names: 'queryField' },
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
const queryOf = (given: Given, session: Session): Query => {
  if (given.language.toUpperCase() !== 'NXQL')
    throw fail('badRequest', `language: '${given.language}' is not NXQL`)
  for (const name of ['currentPageIndex', 'pageSize'] as const) requireNotNegative(given[name], name)
  return boundQuery({
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
  isReadOnly: true,
  params: {
    query: {
      type: 'string',
      description: 'The query in NXQL.',
      notation: 'nxql',
      default: 'SELECT * FROM Document',
    },
    ...params,
    maxResults: {
      type: 'integer',
      description:
        'Without a page size the documents to find at most, else those to count; none when 0 or less.',
    },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params: given }) => {
      const found = await runQuery(session, queryOf(given, session), {
        pageSize: given.pageSize,
        currentPageIndex: given.currentPageIndex,
        maxResults: positive(given.maxResults),
      })
      const isPage = found.type === 'documents' && Boolean(given.pageSize)
      return isPage ? { ...found, source: sourceOf('Repository.Query', given) } : found
    }),
  ],
})

const resultSet = defineOperation({
  id: 'Repository.ResultSetQuery',
  aliases: ['ResultSet.PaginatedQuery'],
  label: 'ResultSet Query',
  category: 'Fetch',
  description:
    'Gives rows of what an NXQL query selects: properties, elements of lists, or COUNT, AVG, SUM, MIN and MAX.',
  isReadOnly: true,
  params: {
    query: { type: 'string', description: 'The query in NXQL.', notation: 'nxql', isRequired: true },
    ...params,
    maxResults: { type: 'integer', description: 'Rows to count at most; all when 0 or less.' },
  },
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { session }, params: given }) => ({
      type: 'recordSet',
      value: await queryAndFetch(session, queryOf(given, session), {
        pageSize: given.pageSize,
        currentPageIndex: given.currentPageIndex,
        maxResults: positive(given.maxResults),
      }),
    })),
  ],
})

export const queryOperations: readonly Operation[] = [query, resultSet]
