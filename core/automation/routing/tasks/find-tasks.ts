import {
  type DocumentPage,
  type Paging,
  privileged,
  queryDocuments,
  queryIds,
  type Session,
} from '../../../content/documents/index.js'
import { quoteNxql } from '../../../model/nxql/index.js'
import { actorNames, bareActor } from './actors.js'

/** What open tasks are narrowed by; an absent field takes all. */
export type TaskFilter = {
  /** A user: with all groups, as an actor or a delegate. */
  actor?: string | undefined
  routeId?: string | undefined
  modelId?: string | undefined
  node?: string | undefined
  documentId?: string | undefined
}

const listed = (texts: readonly string[]): string => texts.map(quoteNxql).join(', ')

/** A user with the groups that he has; a name that nobody has stands for itself. */
const namesOf = async (session: Session, actor: string): Promise<string[]> => {
  const name = bareActor(actor)
  if (name === session.principal.name) return actorNames(session.principal)
  const user = await session.identities.user(name)
  if (!user) return [actor]
  return actorNames({ name, groups: await session.identities.groupsOf(name) })
}

const conditionsOf = async (session: Session, filter: TaskFilter): Promise<string[]> => {
  const { actor, routeId, modelId, node, documentId } = filter
  const names = actor === undefined ? '' : listed(await namesOf(session, actor))
  return [
    ...(names ? [`(nt:actors/* IN (${names}) OR nt:delegatedActors/* IN (${names}))`] : []),
    ...(routeId ? [`nt:processId = ${quoteNxql(routeId)}`] : []),
    ...(modelId
      ? [
          `(nt:processName = ${quoteNxql(modelId)} OR nt:processName LIKE ${quoteNxql(`${modelId.replace(/[\\%_]/g, '\\$&')}.%`)})`,
        ]
      : []),
    ...(node ? [`nt:type = ${quoteNxql(node)}`] : []),
    ...(documentId ? [`nt:targetDocumentsIds/* = ${quoteNxql(documentId)}`] : []),
  ]
}

const OPEN = [
  "SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND ecm:isVersion = 0 AND ecm:isProxy = 0",
  "ecm:isTrashed = 0 AND ecm:currentLifeCycleState = 'opened'",
]

/** Open tasks that somebody has made, and no route: at most `most` of them are counted. */
export const countOpenLooseTasks = async (
  session: Session,
  { initiator, most }: { initiator: string; most: number },
): Promise<number> => {
  const own = `nt:processId IS NULL AND nt:initiator = ${quoteNxql(initiator)}`
  return (await queryIds(privileged(session), [...OPEN, own].join(' AND '), most)).length
}

const open = (session: Session, conditions: readonly string[], paging: Paging): Promise<DocumentPage> =>
  queryDocuments(session, `${[...OPEN, ...conditions].join(' AND ')} ORDER BY nt:dueDate`, paging)

/**
 * Open tasks that a principal may read, by their due dates (workflow-audit.md §1, Task filters). Who asks for a workflow
 * that they have started finds those of others, too: they may end each.
 */
export const findOpenTasks = async (
  session: Session,
  filter: TaskFilter,
  paging: Paging = {},
): Promise<DocumentPage> => {
  const conditions = await conditionsOf(session, filter)
  const { name, isAdministrator } = session.principal
  if (filter.routeId && !isAdministrator) {
    const own = await open(privileged(session), [...conditions, `nt:initiator = ${quoteNxql(name)}`], paging)
    if (own.resultsCount !== 0) return own
  }
  return open(session, conditions, paging)
}
