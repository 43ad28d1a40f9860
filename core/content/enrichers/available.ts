import type { DocumentRecord } from '../../model/properties/index.js'
import { hasPermission, type Session } from '../documents/index.js'
import { type Action, actionsPoint } from './actions-point.js'

const fitsDocument = async (
  session: Session,
  { permission, types, facets }: Action,
  document: DocumentRecord | undefined,
): Promise<boolean> => {
  if (!document) return permission === undefined && types.length === 0 && facets.length === 0
  if (types.length > 0 && !types.includes(document.type)) return false
  const own = session.model.facetsOf(document.type, document.facets)
  if (facets.length > 0 && !facets.some((facet) => own.includes(facet))) return false
  return permission === undefined || hasPermission(session, document, permission)
}

/**
 * The actions of a category for the session's principal, on a document or on none, in order. They say what a
 * user interface may show; the action itself checks rights of its own.
 */
export const availableActions = async (
  session: Session,
  category: string,
  document?: DocumentRecord,
): Promise<readonly (Action & { id: string })[]> => {
  const { principal } = session
  const offered: (Action & { id: string })[] = []
  for (const [id, action] of session.contributions.get(actionsPoint)) {
    const { categories, enabled, groups } = action
    if (!enabled || !categories.includes(category)) continue
    const isMember = groups.length === 0 || groups.some((group) => principal.groups.includes(group))
    if (!isMember && !principal.isAdministrator) continue
    if (await fitsDocument(session, action, document)) offered.push({ id, ...action })
  }
  return offered.sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))
}
