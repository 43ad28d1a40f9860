import type { ContentModel } from '../../model/content-model/index.js'
import { fail } from '../../platform/errors/index.js'
import type { NotifyingSession } from '../../platform/events/index.js'
import { normalForm } from '../../platform/names/index.js'
import type { Principal } from '../security/index.js'
import { isAdministratorByRules } from './principals.js'
import type { Identities } from './types.js'

/** Members manage users, groups and directories, but no administrators. */
export const POWERUSERS = 'powerusers'

/** Members see every workflow (workflow-audit.md): only administrators say who they are. */
export const ROUTE_MANAGERS = 'routeManagers'

/** What reading users and groups needs of a session. */
export type IdentitySession = { principal: Principal; identities: Identities; model: ContentModel }

/** What changing them needs: listeners run in the transaction of the change. */
export type IdentityChangeSession = IdentitySession & NotifyingSession

/** Whether somebody may manage users and groups at all (rest-documents.md §10). */
export const isIdentityManager = ({ isAdministrator, groups }: Principal): boolean =>
  isAdministrator || groups.includes(POWERUSERS)

/** @throws forbidden for everybody but administrators and powerusers. */
export const requireManager = ({ principal }: IdentitySession): void => {
  if (!isIdentityManager(principal))
    throw fail('forbidden', `User '${principal.name}' is not allowed to manage users and groups`)
}

const refused = ({ principal }: IdentitySession, what: string) =>
  fail('forbidden', `User '${principal.name}' is not an administrator, and not allowed to change ${what}`)

/** @throws forbidden when a poweruser would touch an administrator. */
export const requireMayChangeUser = async (session: IdentitySession, username: string): Promise<void> => {
  requireManager(session)
  if (session.principal.isAdministrator) return
  const { identities } = session
  const groups = await identities.groupsOf(username)
  if (isAdministratorByRules(identities.rules, username, groups))
    throw refused(session, `administrator '${username}'`)
}

/** Letters that look alike stand in several scripts (Unicode Technical Standard 39, 5.2: mixed scripts). */
const mixesScripts = (name: string): boolean =>
  /\p{Script=Latin}/u.test(name) && /(?!\p{Script=Latin})\p{L}/u.test(name)

/** A name without case, and without marks on its letters. */
const folded = (name: string): string =>
  normalForm('NFKD', name)
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('\u0131', 'i')

const requireUnlike = (field: string, name: string, others: readonly string[]): void => {
  if (mixesScripts(name)) throw fail('forbidden', `${field}: '${name}' mixes letters of several scripts`)
  const alike = others.find((other) => folded(other) === folded(name))
  if (alike !== undefined)
    throw fail(
      'forbidden',
      `${field}: '${name}' differs from '${alike}', of administrators, by case or marks alone`,
    )
}

/** @throws forbidden when a poweruser would create a user whose name may look like an administrator's. */
export const refuseLookalike = async (session: IdentitySession, username: string): Promise<void> => {
  if (session.principal.isAdministrator) return
  const { identities } = session
  const { administratorGroups, defaultAdministrators } = identities.rules
  const administrators = [...defaultAdministrators, ...(await identities.allMembers(administratorGroups))]
  requireUnlike('username', username, administrators)
}

/** @throws forbidden when a poweruser would create a group whose name may look like one of administrators. */
export const refuseGroupLookalike = ({ principal, identities }: IdentitySession, groupname: string): void => {
  if (!principal.isAdministrator) requireUnlike('groupname', groupname, identities.rules.administratorGroups)
}

/** @throws forbidden when a poweruser would change a group whose members are administrators, or see every workflow. */
export const requireMayChangeGroups = async (
  session: IdentitySession,
  groupnames: readonly string[],
): Promise<void> => {
  requireManager(session)
  if (session.principal.isAdministrator || groupnames.length === 0) return
  const { identities } = session
  const reached = await identities.withAncestors(groupnames)
  const guarded = [...identities.rules.administratorGroups, ROUTE_MANAGERS]
  const powerful = reached.find((name) => guarded.includes(name))
  if (powerful !== undefined) throw refused(session, `who belongs to group '${powerful}'`)
}
