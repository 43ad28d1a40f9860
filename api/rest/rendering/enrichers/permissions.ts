import { heldPermissions } from '../../../../core/content/documents/index.js'
import type { Enricher } from './enricher.js'

/**
 * The registered permissions that the caller has, or those among the ones that the deployment lists in the enricher's
 * parameter `permissions` (rest-documents.md §6).
 */
export const permissions: Enricher = {
  name: 'permissions',
  enrich: async ({ documents, session, parameters }) => {
    const listed = parameters.permissions ?? session.permissions.known
    const held = await heldPermissions(session, documents, listed)
    return held.map((permissions) => ({ permissions }))
  },
}
