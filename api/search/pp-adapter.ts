import { getDocument } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import {
  type Adapter,
  type AdapterRequest,
  documentGroup,
  documentsPage,
  pagingQuery,
  type RestServices,
  renderingQuery,
  sortQuery,
} from '../rest/index.js'
import { type ProviderCall, providerPage, providerResponse } from './provider.js'
import { searchSession } from './query-parameters.js'
import { aggregateHeaders, backendParameters, providerParameters } from './search.schema.js'

const describeProviders = documentGroup({ tag: 'queries', path: { provider: 'Name of the page provider' } })

export const pageProviderDocs = describeProviders({
  queryProviderHere: [
    'GET /@pp/{provider}',
    'A page of a provider, with the id of the document as its parameter',
    {
      description:
        'Every other parameter is a value of `:name` in the query, and refused when there is none.',
      query: providerParameters.extend({
        ...backendParameters.shape,
        ...pagingQuery.shape,
        ...sortQuery.shape,
        ...renderingQuery.shape,
      }),
      header: aggregateHeaders,
      200: documentsPage,
    },
  ],
})

/** `@pp/{provider}`: a page provider whose only positional parameter is the document (nxql-search.md §1). */
export const pageProviderAdapter = (services: RestServices): Adapter => {
  const callOf = async ({ c, ref, rest }: AdapterRequest): Promise<ProviderCall> => {
    if (rest === '') throw fail('notFound', 'The name of a page provider is missing after @pp/')
    const session = searchSession(services, c)
    const document = await getDocument(session, ref)
    return { c, session, name: rest, queryParams: [document.id] }
  }
  return {
    name: 'pp',
    isCostly: true,
    list: async (request) => providerPage(services, await callOf(request)),
    methods: { GET: async (request) => providerResponse(services, await callOf(request)) },
  }
}
