import { filledIn, type Session } from '../../../content/documents/index.js'
import { pairedSort, type Sort } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  adHocProvider,
  fetchPageProvider,
  getPageProvider,
  type PageProviderDefinition,
  type PageRequest,
  runPageProvider,
} from '../../../search/page-providers/index.js'
import { defineOperation, type Operation } from '../../language/index.js'
import { positive } from '../shared/parameters.js'
import { namedValues } from './bound-query.js'
import { sourceOf } from './list-source.js'

/** `dc:title true` of the older parameter: a property and whether it ascends. */
const sortInfo = (text: string): Sort[number] => {
  const [field = '', ascending = 'true'] = text.trim().split(/\s+/)
  return { field, isAscending: ascending.toLowerCase() !== 'false' }
}

/** What both operations take. */
const params = {
  providerName: { type: 'string', names: 'pageProvider', description: 'The page provider.' },
  query: { type: 'string', notation: 'nxql', description: 'A query to run instead of a provider.' },
  language: { type: 'string', description: 'Language of the query.', default: 'NXQL', values: ['NXQL'] },
  currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
  pageSize: { type: 'integer', description: 'Results of a page; what the provider says when absent.' },
  queryParams: {
    type: 'stringlist',
    aliases: ['searchTerm'],
    description: 'Values for the question marks of the query, in order.',
  },
  namedParameters: {
    type: 'properties',
    description: 'Values for the search document, and the :names of the query.',
  },
  sortBy: { type: 'stringlist', description: 'Properties to sort by, in this order.', names: 'queryField' },
  sortOrder: { type: 'stringlist', values: ['ASC', 'DESC'], description: 'Descending when absent.' },
  sortInfo: {
    type: 'stringlist',
    description: 'Properties to sort by, each with true (ascending) or false.',
  },
  quickFilters: { type: 'stringlist', description: 'Quick filters of the provider to apply.' },
  maxResults: { type: 'integer', description: 'Results to count at most; all when 0 or less.' },
  documentLinkBuilder: { type: 'string', description: 'Taken for the sake of callers, without effect.' },
} as const

type Given = {
  providerName?: string | undefined
  query?: string | undefined
  language: string
  currentPageIndex?: number | undefined
  offset?: number | undefined
  pageSize?: number | undefined
  queryParams?: readonly string[] | undefined
  namedParameters?: { [name: string]: PropertyValue } | undefined
  sortBy?: readonly string[] | undefined
  sortOrder?: readonly string[] | undefined
  sortInfo?: readonly string[] | undefined
  quickFilters?: readonly string[] | undefined
  maxResults?: number | undefined
}

/** The query of the call itself, or the named provider's. */
const chosen = (session: Session, { providerName, query }: Given): PageProviderDefinition => {
  if (query) return adHocProvider(session, query)
  if (!providerName) throw fail('badRequest', 'providerName: missing, and there is no query')
  return getPageProvider(session, providerName)
}

const sortOf = ({ sortBy = [], sortOrder = [], sortInfo: infos = [] }: Given): Sort | undefined =>
  pairedSort(sortBy, sortOrder) ?? (infos.length > 0 ? infos.map(sortInfo) : undefined)

/** The provider of a call and what is asked of it. */
const callOf = (
  session: Session,
  given: Given,
): { provider: PageProviderDefinition; request: PageRequest } => {
  if (given.language.toUpperCase() !== 'NXQL')
    throw fail('badRequest', `language: '${given.language}' is not NXQL`)
  for (const name of ['currentPageIndex', 'offset', 'pageSize'] as const) {
    const value = given[name]
    if (value !== undefined && value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
  }
  const provider = chosen(session, given)
  const maxResults = positive(given.maxResults)
  return {
    provider: maxResults === undefined ? provider : { ...provider, maxResults },
    request: {
      queryParams: (given.queryParams ?? []).map((value) => filledIn(value, session)),
      named: namedValues(given.namedParameters ?? {}, session),
      sort: sortOf(given),
      quickFilters: given.quickFilters ?? [],
      pageSize: given.pageSize,
      currentPageIndex: given.currentPageIndex,
      offset: given.offset,
    },
  }
}

const pageProvider = defineOperation({
  id: 'Repository.PageProvider',
  aliases: ['Document.PageProvider'],
  label: 'PageProvider',
  category: 'Fetch',
  description:
    'Gives a page of the documents that a page provider finds, as far as the caller may read them.',
  params: {
    ...params,
    offset: { type: 'integer', description: 'Results to pass over, instead of pages.' },
    highlights: {
      type: 'stringlist',
      description: 'Taken for the sake of callers; documents that flow are not highlighted.',
    },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params: given }) => {
      const { provider, request } = callOf(session, given)
      const page = await runPageProvider(session, provider, request)
      const records = page.entries
      return {
        type: 'documents',
        ids: records.map(({ id }) => id),
        records,
        page,
        source: sourceOf('Repository.PageProvider', given),
      }
    }),
  ],
})

const resultSetPageProvider = defineOperation({
  id: 'Repository.ResultSetPageProvider',
  aliases: ['Resultset.PageProvider'],
  label: 'QueryAndFetch',
  category: 'Fetch',
  description:
    'Gives rows of what the query of a page provider selects: properties, elements of lists, or COUNT, AVG, SUM, MIN and MAX.',
  params,
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { session }, params: given }) => {
      const { provider, request } = callOf(session, given)
      return { type: 'recordSet', value: await fetchPageProvider(session, provider, request) }
    }),
  ],
})

export const pageProviderOperations: readonly Operation[] = [pageProvider, resultSetPageProvider]
