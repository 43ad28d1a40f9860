import { getDocument, getEffectiveAcls } from '../../../core/content/documents/index.js'
import { aceEntity, aclsEntity } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup, entityResponse, requireJsonAccepted } from '../requests/index.js'
import type { Adapter } from './adapter.js'

export const aclDocs = documentGroup({ tag: 'documents' })({
  getAcls: ['GET /@acl', 'The ACLs in force on a document', { 200: aclsEntity }],
})

/** `@acl`: the ACLs in force on a document, to be read only (rest-documents.md §7). */
export const aclAdapter = ({ platform }: RestServices): Adapter => ({
  name: 'acl',
  methods: {
    GET: async ({ c, ref }) => {
      requireJsonAccepted(c)
      const session = platform.readSession(c.get('principal'))
      const acls = await getEffectiveAcls(session, await getDocument(session, ref))
      return entityResponse({
        'entity-type': 'acls',
        ...{
          acl: acls.map(({ name, aces }) => ({ name, ace: aces.map((ace) => aceEntity(ace, session.now)) })),
        },
      })
    },
  },
})
