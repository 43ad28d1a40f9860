import { documentsValue, documentValue } from '../../../core/automation/language/index.js'
import { getDocument } from '../../../core/content/documents/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { RestServices } from '../rendering/index.js'
import type { Adapter, AdapterEngine } from './adapter.js'

/**
 * `@op/{operation or chain}`: calls it with the document, or the documents of a list, as its input
 * (rest-documents.md §7).
 */
export const operationAdapter = (
  { platform }: RestServices,
  { call }: Pick<AdapterEngine, 'call'>,
): Adapter => ({
  name: 'op',
  takesLists: true,
  methods: {
    POST: async ({ c, ref, rest, list }) => {
      if (rest === '') throw fail('notFound', 'The id of an operation or chain is missing after @op/')
      if (list) return call(c, rest, documentsValue((await list()).entries))
      const session = platform.readSession(c.get('principal'))
      return call(c, rest, documentValue(await getDocument(session, ref)))
    },
  },
})
