import { getDocument, unsavedDocument } from '../../../core/documents/index.js'
import { fail } from '../../../core/errors/index.js'
import type { Adapter } from '../adapter.js'
import type { DocumentEntity } from '../document-entity.js'
import { entityResponse, requireJsonAccepted } from '../negotiate.js'
import type { RestServices } from '../services.js'

/** `@emptyWithDefault`: a document as it would begin, not saved (rest-documents.md §3). */
export const emptyWithDefaultAdapter = ({ platform, renderer }: RestServices): Adapter => ({
  name: 'emptyWithDefault',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const type = c.req.query('type')?.trim()
      if (!type) throw fail('badRequest', 'type: the parameter is missing')
      const session = platform.readSession(c.get('principal'))
      const parent = await getDocument(session, ref)
      const name = c.req.query('name')?.trim() || type
      const document = unsavedDocument(session, { parent, name, type })
      const written = await renderer(c, session).one(document)
      const entity: DocumentEntity = { ...written, uid: null, changeToken: null }
      return entityResponse(entity)
    },
  },
})
