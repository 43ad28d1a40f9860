import { type Group, type User, viewGroups, viewUsers } from '../../../core/access/identity/index.js'
import type { Session } from '../../../core/content/documents/index.js'
import { groupEntity } from './group-entity.js'
import { userEntity } from './user-entity.js'

type ViewingSession = Pick<Session, 'identities' | 'model'>

/** The entities of users, in their order. */
export const userEntities = async ({ identities, model }: ViewingSession, users: readonly User[]) => {
  const views = await viewUsers(identities, users)
  return views.map((view) => userEntity(view, model.schemas.get('user')))
}

/**
 * The entities of groups, in their order.
 *
 * @param fetch the lists to write: members, subgroups, parents; none when absent.
 */
export const groupEntities = async (
  { identities, model }: ViewingSession,
  groups: readonly Group[],
  fetch: readonly string[] = [],
) => {
  const views = await viewGroups(identities, groups)
  return views.map((view) => groupEntity(view, { fetch, schema: model.schemas.get('group') }))
}
