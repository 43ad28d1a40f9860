import { hasPermission } from '../../../core/documents/index.js'
import { enrichersPoint } from '../../../core/enrichers/index.js'
import type { Enricher } from './enricher.js'

/**
 * What the caller holds of the registered permissions, or of those that the deployment lists in the enricher's
 * parameter `permissions` (rest-documents.md §6).
 */
export const permissions: Enricher = {
  name: 'permissions',
  enrich: async ({ document, session }) => {
    const listed = session.contributions.get(enrichersPoint).get('permissions')?.parameters.permissions
    const asked = listed ?? session.permissions.known
    const held = await Promise.all(asked.map((permission) => hasPermission(session, document, permission)))
    return { permissions: asked.filter((_, position) => held[position]) }
  },
}
