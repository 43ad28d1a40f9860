import { hasPermission } from '../../../core/documents/index.js'
import type { Enricher } from './enricher.js'

/** Those of the known permissions that the caller holds. */
export const permissions: Enricher = {
  name: 'permissions',
  enrich: async ({ document, session }) => {
    const held = await Promise.all(
      session.permissions.known.map((permission) => hasPermission(session, document, permission)),
    )
    return { permissions: session.permissions.known.filter((_, position) => held[position]) }
  },
}
