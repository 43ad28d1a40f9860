import { EVERYONE } from '../../../access/security/index.js'
import { defineProperty, isPropertyTrue } from '../../../platform/configuration/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'

/** reference: security.md §7, `Document.AddPermission` */
export const ALLOW_VIRTUAL_USER = defineProperty({
  name: 'archivolt.automation.allowVirtualUser',
  aliases: ['nuxeo.automation.allowVirtualUser'],
  default: 'false',
  description: 'true: entries of ACLs, and who gets a task, may be users and groups that nobody knows',
})

type Kind = 'user' | 'group'

const isKnown = async ({ identities }: Session, name: string, kind: Kind | undefined): Promise<boolean> => {
  const { defaultGroup, administratorGroups } = identities.rules
  if (kind !== 'user' && (name === defaultGroup || administratorGroups.includes(name))) return true
  if (kind !== 'group' && (await identities.user(name))) return true
  return kind !== 'user' && (await identities.group(name)) !== undefined
}

const NONE_OF: { readonly [kind in Kind]: string } = { user: 'no user', group: 'no group' }

/** Whether there is a user or group of a name; any passes where names that nobody knows may be used. */
export const isKnownName = async (session: Session, name: string, kind: Kind | undefined): Promise<boolean> =>
  name === EVERYONE ||
  isPropertyTrue(session.contributions, ALLOW_VIRTUAL_USER) ||
  (await isKnown(session, name, kind))

/**
 * Refuses the name of a user or group that does not exist.
 *
 * @param options `kind`: what it must be; absent: either.
 * @throws badRequest naming the parameter and the name.
 */
export const requireKnownName = async (
  session: Session,
  name: string,
  { parameter, kind }: { parameter: string; kind?: Kind | undefined },
): Promise<void> => {
  if (name.trim() === '') throw fail('badRequest', `${parameter}: must not be empty`)
  if (await isKnownName(session, name, kind)) return
  const none = kind === undefined ? 'neither a user nor a group' : NONE_OF[kind]
  throw fail('badRequest', `${parameter}: there is ${none} '${name}'`)
}
