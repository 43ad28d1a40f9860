import { type Ace, type Acl, aceId, aceStatus } from '../../../core/access/security/index.js'
import type { Session } from '../../../core/content/documents/index.js'
import { groupEntities, userEntities } from '../../identity/entities/index.js'

/** Prefix of the name of a user who is known by a mail address only. */
const TRANSIENT = 'transient/'

/** UTC with hundredths of seconds, as clients of the reference platform expect (reference: security.md §7). */
const dateText = (date: string | null | undefined): string | null =>
  date ? new Date(date).toISOString().replace(/\dZ$/, 'Z') : null

/** One entry of an ACL on the wire (rest-documents.md §6). */
export const aceEntity = (ace: Ace, now: Date) => {
  const { username, permission, granted, creator, begin, end } = ace
  return {
    id: aceId(ace),
    username,
    permission,
    granted,
    creator: creator ?? null,
    begin: dateText(begin),
    end: dateText(end),
    status: aceStatus(ace, now),
  }
}

/** Names that `fetch-acls` knows. */
const FETCHED = ['username', 'creator'] as const

/** The entities of users and groups by name; unknown names are omitted. */
const entitiesOf = async (
  { identities, model }: Pick<Session, 'identities' | 'model'>,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, object>> => {
  const wanted = [...names]
  const [users, groups] = await Promise.all([identities.users(wanted), identities.groups(wanted)])
  const [userBodies, groupBodies] = await Promise.all([
    userEntities({ identities, model }, users),
    groupEntities({ identities, model }, groups),
  ])
  return new Map<string, object>([
    ...groups.map(({ groupname }, position) => [groupname, groupBodies[position] ?? {}] as const),
    ...users.map(({ username }, position) => [username, userBodies[position] ?? {}] as const),
  ])
}

/**
 * The ACLs of the enricher `acls`: current clients read `aces`, those of 7.4 `ace`.
 *
 * @param fetch `username` and `creator` replace names by entities, `extended` adds the notification settings.
 */
export const enrichedAcls = async (
  session: Pick<Session, 'identities' | 'model' | 'now'>,
  acls: readonly Acl[],
  fetch: readonly string[],
): Promise<object[]> => {
  const fields = FETCHED.filter((field) => fetch.includes(field))
  const all = acls.flatMap(({ aces }) => aces)
  const names = new Set(fields.flatMap((field) => all.map((ace) => ace[field] ?? '')))
  const entities = names.size > 0 ? await entitiesOf(session, names) : new Map<string, object>()
  const entry = (ace: Ace) => {
    const { id, username, ...rest } = aceEntity(ace, session.now)
    const fetched = Object.fromEntries(
      fields.map((field) => [field, entities.get(ace[field] ?? '') ?? ace[field] ?? null]),
    )
    return {
      id,
      username,
      externalUser: username.startsWith(TRANSIENT),
      ...rest,
      ...fetched,
      ...(fetch.includes('extended') && { notify: ace.notify ?? false, comment: ace.comment ?? null }),
    }
  }
  return acls.map(({ name, aces }) => {
    const entries = aces.map(entry)
    return { name, aces: entries, ace: entries }
  })
}
