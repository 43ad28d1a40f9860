import { fail } from '../../platform/errors/index.js'
import { type Session, usersAmong } from '../documents/index.js'
import { isAddress, requireAddress, transientAddress } from './addresses.js'

const KIND = /^(user|group):/

/** Addresses of a user, or of all members of a group; disabled users and those without an address are left out. */
export const addressesOf = async (session: Session, name: string): Promise<readonly string[]> => {
  const { identities } = session
  const kind = KIND.exec(name)?.[1]
  const bare = name.replace(KIND, '')
  const transient = transientAddress(bare)
  if (transient) return [transient]
  const user = kind === 'group' ? undefined : await identities.user(bare)
  if (user) return user.isEnabled && user.email && isAddress(user.email) ? [user.email] : []
  if (kind === 'user' || !(await identities.group(bare))) return []
  const members = await usersAmong(session, [{ name: bare, kind: 'group' }])
  const users = await identities.users(members)
  return users.flatMap(({ isEnabled, email }) => (isEnabled && email && isAddress(email) ? [email] : []))
}

/**
 * The addresses of a mail's receivers: an address itself; else a user or a group by its name, also with
 * `user:` or `group:` before it.
 *
 * @param isStrict a name that leads to no address is an error; else it is left out.
 * @throws badRequest naming the parameter and the name.
 */
export const receivers = async (
  session: Session,
  names: readonly string[],
  { parameter, isStrict }: { parameter: string; isStrict: boolean },
): Promise<readonly string[]> => {
  const addresses: string[] = []
  for (const name of names.map((each) => each.trim()).filter((each) => each !== '')) {
    if (!KIND.test(name) && name.includes('@')) {
      addresses.push(requireAddress(name, parameter))
      continue
    }
    const found = await addressesOf(session, name)
    if (found.length === 0 && isStrict)
      throw fail(
        'badRequest',
        `${parameter}: '${name}' is neither a mail address nor a user or group with one`,
      )
    addresses.push(...found)
  }
  return [...new Set(addresses)]
}
