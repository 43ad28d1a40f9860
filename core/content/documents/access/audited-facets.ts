import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** Facets of a document itself on which it depends whether the audit keeps its events. */
export const AUDITED_BY = ['SystemDocument', 'ForceAudit']

/**
 * Leaves it to administrators whether the audit keeps what happens to a document.
 *
 * @param facets what the document is to have of its own, or no more.
 * @throws forbidden.
 */
export const requireAuditStays = (
  { principal }: Pick<Session, 'principal'>,
  facets: readonly string[],
): void => {
  const facet = facets.find((name) => AUDITED_BY.includes(name))
  if (facet === undefined || principal.isAdministrator) return
  throw fail(
    'forbidden',
    `facet: ${facet} decides what the audit keeps: '${principal.name}' may neither give nor take it`,
  )
}
