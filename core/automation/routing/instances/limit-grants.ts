import type { Acl } from '../../../access/security/index.js'
import {
  changeAcls,
  type DocumentListener,
  privileged,
  type Session,
  withoutListener,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import {
  bareActor,
  GRANTING,
  type PassedOn,
  passedOnBy,
  type Task,
  taskOf,
  taskOfAcl,
} from '../tasks/index.js'
import { type BriefRoute, firstInitiator, loadBriefly } from './instance.js'

/** Documents whose tasks a change of rights looks at in its own transaction; the upkeep looks at the others. */
const AT_ONCE = 20

const NAME = 'limitGrantsOfTasks'

/** What an open task grants on a document, and how much of it whoever has started its workflow may pass on now. */
type Limit = { named: ReadonlySet<string>; passedOn: PassedOn }

const namedBy = ({ model }: BriefRoute, { node }: Task): ReadonlySet<string> =>
  new Set((model.nodes[node]?.taskAssignees ?? []).map(bareActor))

/** By ids of tasks. A task without a route, or whose route is not stored yet, grants nothing that could be too much. */
const limitsOf = async (session: Session, taskIds: readonly string[]): Promise<Map<string, Limit>> => {
  const tasks = (await session.stores.documents.getMany(taskIds)).map(taskOf)
  const routes = await loadBriefly(
    session,
    tasks.map(({ routeId }) => routeId),
  )
  // Who has started a workflow is looked up once for all of its tasks.
  const passedOn = new Map(
    [...routes].map(([id, route]) => [
      id,
      passedOnBy(session, { initiator: () => firstInitiator(session, route) }),
    ]),
  )
  return new Map(
    tasks.flatMap((task) => {
      const route = routes.get(task.routeId)
      return route ? [[task.id, { named: namedBy(route, task), passedOn: passedOn.get(task.routeId)! }]] : []
    }),
  )
}

const limited = async (acl: Acl, document: DocumentRecord, { named, passedOn }: Limit): Promise<Acl> => {
  const aces: Acl['aces'][number][] = []
  for (const ace of acl.aces) {
    const permission = named.has(ace.username) ? ace.permission : await passedOn(document, ace.permission)
    if (permission !== undefined) aces.push(permission === ace.permission ? ace : { ...ace, permission })
  }
  const isSame = aces.length === acl.aces.length && aces.every((ace, place) => ace === acl.aces[place])
  return isSame ? acl : { ...acl, aces }
}

const limitOn = async (
  session: Session,
  { document, granting }: { document: DocumentRecord; granting: readonly Acl[] },
  limits: ReadonlyMap<string, Limit>,
): Promise<void> => {
  const less = new Map<string, Acl>()
  for (const acl of granting) {
    const limit = limits.get(taskOfAcl(acl.name) ?? '')
    const left = limit ? await limited(acl, document, limit) : acl
    if (left !== acl) less.set(acl.name, left)
  }
  if (less.size === 0) return
  // Others may have changed its other ACLs before it was held.
  await changeAcls(session, document, (acls) =>
    acls.map((acl) => less.get(acl.name) ?? acl).filter(({ aces }) => aces.length > 0),
  )
}

/**
 * Takes back what open tasks grant on documents, by somebody's choice, beyond what who has started their workflow may
 * pass on by now (docs/workflows.md, Tasks). A workflow is read once, however many of the documents it is about.
 */
export const limitGrants = async (session: Session, documentIds: readonly string[]): Promise<void> => {
  if (documentIds.length === 0) return
  // Taking back lets nobody else have less.
  const listeners = withoutListener(session.listeners, NAME)
  const inside = { ...privileged(session), listeners }
  const { documents, acls } = inside.stores
  const found = await Promise.all(
    (await documents.getMany(documentIds)).map(async (document) => ({
      document,
      granting: (await acls.local(document.id)).filter(({ name }) => taskOfAcl(name) !== undefined),
    })),
  )
  const taskIds = found.flatMap(({ granting }) => granting.map(({ name }) => taskOfAcl(name)!))
  const limits = await limitsOf(inside, [...new Set(taskIds)])
  for (const each of found) await limitOn(inside, each, limits)
}

/** Looks at tasks on documents whose rights change, or that are moved, and on those below them, in the same transaction. */
export const grantsListener: DocumentListener = {
  name: NAME,
  events: ['documentSecurityUpdated', 'documentMoved'],
  handle: async (session, { document }) => {
    if (!document || document.path === null) return undefined
    const below = await session.stores.acls.grantedBy(GRANTING, { path: document.path, limit: AT_ONCE })
    await limitGrants(session, below)
    return undefined
  },
}
