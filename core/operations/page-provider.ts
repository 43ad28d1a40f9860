import { defineOperation, type Operation } from '../automation/index.js'
import { filledIn } from '../documents/index.js'
import { fail } from '../errors/index.js'
import {
  getPageProvider,
  type PageProviderDefinition,
  runPageProvider,
  type Sort,
} from '../page-providers/index.js'
import { namedValues } from './query-text.js'

const AD_HOC = 'REST_API_SEARCH_ADAPTER'

/** `dc:title true` of the older parameter: a property and whether it ascends. */
const sortInfo = (text: string): Sort[number] => {
  const [field = '', ascending = 'true'] = text.trim().split(/\s+/)
  return { field, isAscending: ascending.toLowerCase() !== 'false' }
}

const sortOf = (params: {
  sortBy?: readonly string[] | undefined
  sortOrder?: readonly string[] | undefined
  sortInfo?: readonly string[] | undefined
}): Sort | undefined => {
  const { sortBy = [], sortOrder = [] } = params
  if (sortBy.length > 0)
    return sortBy.map((field, position) => ({
      field,
      isAscending: sortOrder[position]?.toUpperCase() === 'ASC',
    }))
  return params.sortInfo?.length ? params.sortInfo.map(sortInfo) : undefined
}

/** The query of the call itself, or the named provider's. */
const chosen = (
  { providerName, query }: { providerName?: string | undefined; query?: string | undefined },
  find: (name: string) => PageProviderDefinition,
): { provider: PageProviderDefinition } => {
  if (query) return { provider: { ...find(AD_HOC), pattern: query, quoteParameters: true } }
  if (!providerName) throw fail('badRequest', 'providerName: missing, and there is no query')
  return { provider: find(providerName) }
}

const pageProvider = defineOperation({
  id: 'Repository.PageProvider',
  aliases: ['Document.PageProvider'],
  label: 'PageProvider',
  category: 'Fetch',
  description:
    'Gives a page of the documents that a page provider finds, as far as the caller may read them.',
  params: {
    providerName: { type: 'string', description: 'The page provider.' },
    query: { type: 'string', description: 'A query to run instead of a provider.' },
    language: { type: 'string', default: 'NXQL', values: ['NXQL'] },
    currentPageIndex: { type: 'integer', aliases: ['page'], description: 'Page to give, from 0.' },
    offset: { type: 'integer', description: 'Results to pass over, instead of pages.' },
    pageSize: { type: 'integer', description: 'Documents of a page; what the provider says when absent.' },
    queryParams: {
      type: 'stringlist',
      aliases: ['searchTerm'],
      description: 'Values for the question marks of the query, in order.',
    },
    namedParameters: {
      type: 'properties',
      description: 'Values for the search document, and the :names of the query.',
    },
    sortBy: { type: 'stringlist' },
    sortOrder: { type: 'stringlist', values: ['ASC', 'DESC'], description: 'Descending when absent.' },
    sortInfo: {
      type: 'stringlist',
      description: 'Properties to sort by, each with true (ascending) or false.',
    },
    quickFilters: { type: 'stringlist', description: 'Quick filters of the provider to apply.' },
    highlights: {
      type: 'stringlist',
      description: 'Taken for the sake of callers; the repository highlights nothing.',
    },
    maxResults: { type: 'integer', description: 'Results to count at most.' },
    documentLinkBuilder: { type: 'string', description: 'Taken for the sake of callers, without effect.' },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params }) => {
      if (params.language.toUpperCase() !== 'NXQL')
        throw fail('badRequest', `language: '${params.language}' is not NXQL`)
      for (const name of ['currentPageIndex', 'offset', 'pageSize'] as const) {
        if (params[name] !== undefined && params[name] < 0)
          throw fail('badRequest', `${name}: ${params[name]} is negative`)
      }
      const { provider } = chosen(params, (name) => getPageProvider(session, name))
      const { maxResults } = params
      const limited = maxResults !== undefined && maxResults > 0 ? { ...provider, maxResults } : provider
      const page = await runPageProvider(session, limited, {
        queryParams: (params.queryParams ?? []).map((value) => filledIn(value, session)),
        named: namedValues(params.namedParameters ?? {}, session),
        sort: sortOf(params),
        quickFilters: params.quickFilters ?? [],
        pageSize: params.pageSize,
        currentPageIndex: params.currentPageIndex,
        offset: params.offset,
      })
      const records = page.entries
      return { type: 'documents', ids: records.map(({ id }) => id), records, page }
    }),
  ],
})

export const pageProviderOperations: readonly Operation[] = [pageProvider]
