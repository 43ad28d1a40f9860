import { getDocument } from '../../../core/content/documents/index.js'
import { findRendition } from '../../../core/content/renditions/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { sendPermitted } from '../../download/index.js'
import { binary } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup } from '../requests/index.js'
import type { Adapter, AdapterEngine } from './adapter.js'

const path = { rendition: 'Its name, as the enricher renditions lists it' }

export const renditionDocs = documentGroup({ tag: 'files', path })({
  getRendition: [
    'GET /@rendition/{rendition}',
    'A rendition of a document, as a file',
    { 200: binary('The file, or the requested range of it') },
  ],
})

/** `@rendition/{name}`: a rendition of a document, as a download (rest-documents.md §7). */
export const renditionAdapter = (
  { platform }: RestServices,
  { renditionTools }: Pick<AdapterEngine, 'renditionTools'>,
): Adapter => ({
  name: 'rendition',
  methods: {
    GET: async ({ c, ref, rest }) => {
      const session = platform.readSession(c.get('principal'))
      const document = await getDocument(session, ref)
      const rendition = findRendition(session, document, rest)
      const blob = await rendition?.render({ session, document, tools: renditionTools(c) })
      if (!blob) throw fail('notFound', `Document ${document.id} has no rendition '${rest}'`)
      const file = { session, document, blob, xpath: null, reason: 'rendition', rendition: rest }
      return sendPermitted(c, platform, { ...file, infos: { rendition: rest } })
    },
  },
})
