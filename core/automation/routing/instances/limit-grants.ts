import type { Acl } from '../../../access/security/index.js'
import {
  changeAcls,
  type DocumentListener,
  privileged,
  type Session,
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
import { firstInitiator, loadRoutes, type Route } from './instance.js'

/** Documents whose tasks a change of rights looks at in its own transaction; the upkeep looks at the others. */
const AT_ONCE = 20

/** What an open task grants on a document, and how much of it whoever has started its workflow may pass on now. */
type Limit = { named: ReadonlySet<string>; passedOn: PassedOn }

const limitOf = (session: Session, task: Task, route: Route): Limit => ({
  named: new Set((route.model.nodes[task.node]?.taskAssignees ?? []).map(bareActor)),
  passedOn: passedOnBy(session, { initiator: () => firstInitiator(session, route) }),
})

/** By ids of tasks. A task without a route, or whose route is not stored yet, grants nothing that could be too much. */
const limitsOf = async (session: Session, taskIds: readonly string[]): Promise<Map<string, Limit>> => {
  const tasks = (await session.stores.documents.getMany(taskIds)).map(taskOf)
  const routes = await loadRoutes(
    session,
    tasks.map(({ routeId }) => routeId),
  )
  return new Map(
    tasks.flatMap((task) => {
      const route = routes.get(task.routeId)
      return route ? [[task.id, limitOf(session, task, route)]] : []
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

/**
 * Takes back what open tasks grant on a document, by somebody's choice, beyond what who has started their workflow may
 * pass on by now (docs/workflows.md, Tasks).
 */
export const limitGrants = async (session: Session, documentId: string): Promise<void> => {
  const inside = privileged(session)
  const document = await inside.stores.documents.get(documentId)
  if (!document || document.path === null) return
  const before = await inside.stores.acls.local(documentId)
  const limits = await limitsOf(
    inside,
    before.flatMap(({ name }) => taskOfAcl(name) ?? []),
  )
  const after: Acl[] = []
  for (const acl of before) {
    const limit = limits.get(taskOfAcl(acl.name) ?? '')
    after.push(limit ? await limited(acl, document, limit) : acl)
  }
  if (after.every((acl, place) => acl === before[place])) return
  await changeAcls(inside, document, () => after.filter(({ aces }) => aces.length > 0))
}

/** Looks at tasks on documents whose rights change, or that are moved, and on those below them, in the same transaction. */
export const grantsListener: DocumentListener = {
  name: 'limitGrantsOfTasks',
  events: ['documentSecurityUpdated', 'documentMoved'],
  handle: async (session, { document }) => {
    if (!document || document.path === null) return undefined
    const below = await session.stores.acls.grantedBy(GRANTING, { path: document.path, limit: AT_ONCE })
    for (const id of below) await limitGrants(session, id)
    return undefined
  },
}
