import { getDocument } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'
import type { Adapter, RestServices } from '../rest/index.js'
import { answerProvider } from './provider.js'

/** `@pp/{provider}`: a page provider whose only positional parameter is the document (nxql-search.md §1). */
export const pageProviderAdapter = (services: RestServices): Adapter => ({
  name: 'pp',
  methods: {
    GET: async ({ c, ref, rest }) => {
      if (rest === '') throw fail('notFound', 'Name a page provider: @pp/{name}')
      const session = services.platform.readSession(c.get('principal'))
      const document = await getDocument(session, ref)
      return answerProvider(services, { c, session, name: rest, queryParams: [document.id] })
    },
  },
})
