import { getDocument, unsavedDocument } from '../../../core/documents/index.js'
import { parseQuery } from '../../parse/index.js'
import type { Adapter } from '../adapter.js'
import type { DocumentEntity } from '../document-entity.js'
import { entityResponse, requireJsonAccepted } from '../negotiate.js'
import { emptyQuery } from '../requests.schema.js'
import type { RestServices } from '../services.js'

/** `@emptyWithDefault`: a document as it would begin, not saved (rest-documents.md §3). */
export const emptyWithDefaultAdapter = ({ platform, renderer }: RestServices): Adapter => ({
  name: 'emptyWithDefault',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const { type, name = type } = parseQuery(c, emptyQuery)
      const session = platform.readSession(c.get('principal'))
      const parent = await getDocument(session, ref)
      const document = unsavedDocument(session, { parent, name, type })
      const written = await renderer(c, session).one(document)
      const entity: DocumentEntity = { ...written, uid: null, changeToken: null }
      return entityResponse(entity)
    },
  },
})
