import { heldPermissions } from '../../../../core/content/documents/index.js'
import { enrichersPoint } from '../../../../core/content/enrichers/index.js'
import type { Enricher } from './enricher.js'

/**
 * The registered permissions that the caller has, or those among the ones that the deployment lists in the enricher's
 * parameter `permissions` (rest-documents.md §6).
 */
export const permissions: Enricher = {
  name: 'permissions',
  enrich: async ({ documents, session }) => {
    const listed = session.contributions.get(enrichersPoint).get('permissions')?.parameters.permissions
    const held = await heldPermissions(session, documents, listed ?? session.permissions.known)
    return held.map((permissions) => ({ permissions }))
  },
}
