import { loadPrincipal } from '../../../access/identity/index.js'
import { type Principal, SYSTEM } from '../../../access/security/index.js'
import {
  hasPermission,
  heldPermissions,
  keepReadable,
  type Session,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Task } from './task.js'

/** Creator of the entries by which tasks grant something: nobody else's right is in them. */
export const GRANTING = 'Workflow'

const READ = 'Read'

/** Somebody who acts on a task, with its documents as they were before the task was closed. */
export type Acting = { session: Session; documents: readonly DocumentRecord[] }

/** Those by whose choice assignees get rights: who has started the workflow, and who chooses now, if anybody. */
export type Choosers = {
  initiator: () => Promise<string>
  acting?: Acting | undefined
  /** Who has set the variables that name them, in whatever move; who acts counts as such. */
  setters?: readonly string[]
}

/** A user with all groups as they are now; undefined for one who is disabled, or is no more. */
const principalNamed = ({ identities }: Session, name: string): Promise<Principal | undefined> | Principal =>
  name === SYSTEM.name ? SYSTEM : loadPrincipal(identities, identities.rules, name)

/** The same session, in which what open tasks grant for a while does not count. */
const apartFromTasks = (session: Session): Session => {
  const { acls } = session.stores
  const effective = async (aclId: number) =>
    (await acls.effective(aclId)).filter(({ creator }) => creator !== GRANTING)
  const own = { ...acls, effective }
  // The others are made when they are asked for, and would not be in a copy.
  const stores = new Proxy(session.stores, {
    get: (all, name) => (name === 'acls' ? own : Reflect.get(all, name, all)),
  })
  return { ...session, stores }
}

/** The same session, in which locks of others keep nobody from anything. */
const passingLocks = (session: Session): Session => {
  const policies = session.permissions.policies.filter(({ when }) => when.isLockedByOther !== true)
  return { ...session, permissions: { ...session.permissions, policies } }
}

/** A permission and what it includes: entries and policies may deny a part of it alone, and not the whole. */
const partsOf = ({ permissions }: Session, permission: string): string[] => {
  const parts = permissions.known.filter((name) => permissions.accepted(name).has(permission))
  return [...new Set([permission, ...parts])]
}

/**
 * Of some documents the first on which somebody has not all of a permission, whatever is locked: locks are what chains ask
 * about.
 *
 * @param options `isApart`: what open tasks grant for a while does not count.
 */
export const firstLacking = async (
  session: Session,
  documents: readonly DocumentRecord[],
  { permission, isApart }: { permission: string; isApart: boolean },
): Promise<DocumentRecord | undefined> => {
  const asked = passingLocks(isApart ? apartFromTasks(session) : session)
  const parts = partsOf(asked, permission)
  const held = await heldPermissions(asked, documents, parts)
  return documents.find((_, position) => held[position]!.length < parts.length)
}

/**
 * @param options as `firstLacking`; `to`: what the permission is needed for, as the message says it.
 * @throws forbidden for a document on which the session's principal has not all of a permission; one that they may not
 *   read is not named.
 */
export const requireHeld = async (
  session: Session,
  documents: readonly DocumentRecord[],
  { permission, isApart, to }: { permission: string; isApart: boolean; to: string },
): Promise<void> => {
  const lacking = await firstLacking(session, documents, { permission, isApart })
  if (!lacking) return
  const named = (await hasPermission(session, lacking, READ))
    ? `its document ${lacking.id}`
    : 'one of its documents'
  throw fail('forbidden', `${session.principal.name} may not ${to}: ${permission} is missing on ${named}`)
}

/** How much of a permission may be passed on; undefined: nothing. */
export type PassedOn = (document: DocumentRecord, permission: string) => Promise<string | undefined>

/**
 * What choosers may let others have of a permission on a document: all of it where each of them has it now, reading
 * where they may read. Else somebody whose rights were revoked would get them back by a task of before.
 */
export const passedOnBy = (session: Session, { initiator, acting, setters = [] }: Choosers): PassedOn => {
  const earlier = setters.filter((name) => name !== acting?.session.principal.name)
  let loaded: Promise<(Principal | undefined)[]> | undefined
  const load = async (): Promise<(Principal | undefined)[]> => {
    const names = new Set([await initiator(), ...earlier])
    return Promise.all([...names].map((name) => principalNamed(session, name)))
  }
  const mayPassOn = async (document: DocumentRecord, permission: string): Promise<boolean> => {
    loaded ??= load()
    for (const principal of await loaded)
      if (
        !principal ||
        (await firstLacking({ ...session, principal }, [document], { permission, isApart: true }))
      )
        return false
    if (!acting) return true
    const before = acting.documents.find(({ id }) => id === document.id) ?? document
    return !(await firstLacking(acting.session, [before], { permission, isApart: false }))
  }
  return async (document, permission) => {
    if (await mayPassOn(document, permission)) return permission
    const isMore = session.permissions.accepted(READ).has(permission)
    return isMore && (await mayPassOn(document, READ)) ? READ : undefined
  }
}

/**
 * The documents of a task that somebody acts on. What the task grants does not count for who has started its workflow.
 *
 * @throws forbidden for a document that they may not read any more.
 */
export const requireReadable = async (session: Session, task: Task): Promise<DocumentRecord[]> => {
  const documents = await session.stores.documents.briefly(task.documentIds, [])
  const isInitiator = session.principal.name === task.initiator
  const readable = new Set(await keepReadable(isInitiator ? apartFromTasks(session) : session, documents))
  const lacking = documents.find((document) => !readable.has(document))
  if (lacking)
    throw fail(
      'forbidden',
      `${session.principal.name} may not act on task ${task.id}: its document ${lacking.id} may not be read`,
    )
  return documents
}

/**
 * Asks of who ends a task that they still have what its node grants, where nobody without it could start the workflow:
 * its chains, which act with every right, would do for them what they may not do any more.
 *
 * @param documents of the task. @param isNamed whether the model names who ends it: what the task grants counts then.
 * @throws forbidden for a document on which they have less.
 */
export const requireStillHeld = async (
  session: Session,
  { id, initiator }: Task,
  {
    documents,
    ...asked
  }: { documents: readonly DocumentRecord[]; granted: string; toStart: string; isNamed: boolean },
): Promise<void> => {
  const { principal, permissions } = session
  const { granted: permission, toStart, isNamed } = asked
  // Whether they may read was asked before.
  if (!permission || permission === READ || !permissions.accepted(permission).has(toStart)) return
  const isApart = principal.name === initiator && !isNamed
  await requireHeld(session, documents, { permission, isApart, to: `end task ${id}` })
}
