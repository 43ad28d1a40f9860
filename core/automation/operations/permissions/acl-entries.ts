import { requireKnownName, type Session } from '../../../content/documents/index.js'
import { suggestion } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'

/** Begins the name of somebody who has no account and is known by a mail address alone. */
const TRANSIENT = 'transient/'

/** The refusal of a permission that nobody defines, with the one that was probably meant. */
export const unknownPermission = ({ permissions }: Pick<Session, 'permissions'>, name: string): Error => {
  const meant = suggestion(name, permissions.known)
  return fail('badRequest', `permission: there is no permission '${name}'${meant}`)
}

/**
 * The permission that a caller means by its name or an alias.
 *
 * @throws badRequest naming the parameter when there is none.
 */
export const knownPermission = ({ permissions }: Session, name: string): string => {
  const permission = permissions.canonical(name)
  if (permission === undefined) throw unknownPermission({ permissions }, name)
  return permission
}

/** Users and groups that one call grants a permission: each costs a look-up and an entry. */
const MAX_USERS = 1_000

const MAIL = /^[^\s@:/]+@[^\s@:/]+$/

/**
 * The users and groups that `username`, `users` and `email` name together.
 *
 * @throws badRequest when there is none, there are too many, one does not exist, or a mail address comes without the end of its time.
 */
export const namedUsers = async (
  session: Session,
  {
    username,
    users = [],
    email,
    end,
  }: { username?: string; users?: readonly string[]; email?: string; end?: string },
): Promise<readonly string[]> => {
  const named = [...(username === undefined ? [] : [username]), ...users]
  const names = [...new Set(named)]
  if (names.length > MAX_USERS)
    throw fail('badRequest', `users: names more than ${MAX_USERS} users and groups`)
  if (names.length === 0 && email === undefined)
    throw fail('badRequest', 'username: a user or a group is needed (username, users or email)')
  for (const [position, name] of names.entries())
    await requireKnownName(session, name, {
      parameter: username !== undefined && position === 0 ? 'username' : 'users',
    })
  if (email === undefined) return names
  if (!MAIL.test(email)) throw fail('badRequest', `email: '${email}' is no mail address`)
  if (end === undefined) throw fail('badRequest', 'end: is needed with email')
  return [...new Set([...names, `${TRANSIENT}${email}`])]
}

const SEGMENTS = 6
const MIN_SEGMENTS = 3

/**
 * The id of an entry with all its segments, from one whose last may be left out.
 *
 * @throws badRequest for fewer than user, permission and grant.
 */
export const wholeAceId = (id: string): string => {
  const segments = id.split(':').length
  if (segments < MIN_SEGMENTS)
    throw fail('badRequest', `id: '${id}' is not <user>:<permission>:<granted>[:<creator>:<begin>:<end>]`)
  return id + ':'.repeat(Math.max(0, SEGMENTS - segments))
}
