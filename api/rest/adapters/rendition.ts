import { getDocument } from '../../../core/content/documents/index.js'
import { noteDownload } from '../../../core/content/download-permissions/index.js'
import { renderByName } from '../../../core/content/renditions/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { sendBlob } from '../../download/index.js'
import { requireConnected } from '../../edge/index.js'
import { downloadable } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup } from '../requests/index.js'
import type { Adapter, AdapterEngine } from './adapter.js'

const path = { rendition: 'Its name, as the enricher renditions lists it' }

export const renditionDocs = documentGroup({ tag: 'files', path })({
  getRendition: [
    'GET /@rendition/{rendition}',
    'A rendition of a document, as a file',
    downloadable('The file'),
  ],
})

/** `@rendition/{name}`: a rendition of a document, as a download (rest-documents.md §7). */
export const renditionAdapter = (
  { platform }: RestServices,
  { renditionTools }: Pick<AdapterEngine, 'renditionTools'>,
): Adapter => ({
  name: 'rendition',
  isCostly: true,
  methods: {
    GET: async ({ c, ref, rest }) => {
      const session = platform.readSession(c.get('principal'))
      const document = await getDocument(session, ref)
      requireConnected(c)
      const rendered = await renderByName(rest, { session, document, tools: renditionTools(c) }).catch(
        (error: unknown) => {
          requireConnected(c)
          throw error
        },
      )
      if (!rendered) throw fail('notFound', `Document ${document.id} has no rendition '${rest}'`)
      const noted = { document, xpath: null, reason: 'rendition', rendition: rest }
      return sendBlob(c, {
        blobs: platform.blobs,
        ...rendered,
        modified: document.properties['dc:modified'],
        onSent: (redirect) => noteDownload(session, { ...noted, blob: rendered.blob, redirect }),
      })
    },
  },
})
