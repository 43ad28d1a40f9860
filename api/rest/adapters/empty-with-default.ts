import { emptyDocument, getDocument } from '../../../core/content/documents/index.js'
import { json } from '../../openapi/index.js'
import { parseQuery } from '../../parse/index.js'
import { type DocumentEntity, documentEntity } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import {
  documentGroup,
  emptyQuery,
  entityResponse,
  renderingQuery,
  requireJsonAccepted,
} from '../requests/index.js'
import type { Adapter } from './adapter.js'

export const emptyWithDefaultDocs = documentGroup({ tag: 'documents' })({
  getEmptyDocument: [
    'GET /@emptyWithDefault',
    'A new document with default values, not saved',
    {
      query: emptyQuery.extend(renderingQuery.shape),
      200: json('The document, without an id', documentEntity),
    },
  ],
})

/** `@emptyWithDefault`: a new document with default values, not saved (rest-documents.md §3). */
export const emptyWithDefaultAdapter = ({ platform, renderer }: RestServices): Adapter => ({
  name: 'emptyWithDefault',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const { type, name = type } = parseQuery(c, emptyQuery)
      // Listeners may change it, and their effects need a transaction.
      const written = await platform.withSingleWrite(c.get('principal'), async (session) => {
        const parent = await getDocument(session, ref)
        return renderer(c, session).one(await emptyDocument(session, { parent, name, type }))
      })
      const entity: DocumentEntity = { ...written, uid: null, changeToken: null }
      return entityResponse(entity)
    },
  },
})
