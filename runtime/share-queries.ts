import type { QueryBackend } from '../core/content/stores/index.js'
import type { Sharing } from '../core/platform/limits/index.js'

/**
 * The same backend, in which a user has as many queries under way as his share allows: one may take as long as a statement
 * may, so that whoever sent many would leave neither connections nor processors to others.
 */
export const shareQueries = (backend: QueryBackend, sharing: Sharing): QueryBackend => ({
  ...backend,
  query: (query, scope, page) => sharing(scope.principal, () => backend.query(query, scope, page)),
  ids: (query, scope, limit) => sharing(scope.principal, () => backend.ids(query, scope, limit)),
  records: (query, scope, page) => sharing(scope.principal, () => backend.records(query, scope, page)),
  aggregate: (query, scope, by) => sharing(scope.principal, () => backend.aggregate(query, scope, by)),
})
