import { getDocument, privileged, type Session, writeQuietly } from '../../../content/documents/index.js'
import { followTransition } from '../../../content/lifecycle/index.js'
import type { DocumentRecord, Properties } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { isAmong } from './actors.js'
import { requireFew, requireShort } from './bounds.js'
import { letAct } from './create-task.js'
import { revokeOnDocuments } from './document-rights.js'
import { TASK_FACET, type Task, taskOf } from './task.js'

/**
 * The task of an id, as a session's principal may read it.
 *
 * @throws notFound for a document that is none, or that is hidden.
 */
export const getTask = async (session: Session, id: string): Promise<Task> => {
  const record = await getDocument(session, id)
  if (!session.model.facetsOf(record.type, record.facets).includes(TASK_FACET)) throw fail('notFound', id)
  return taskOf(record)
}

/** Whether somebody may end a task (workflow-audit.md §2, Rights). */
export const mayEnd = ({ principal }: Pick<Session, 'principal'>, task: Task): boolean =>
  principal.isAdministrator ||
  principal.name === task.initiator ||
  isAmong(principal, [...task.actors, ...task.delegatedActors])

/** @throws forbidden for anybody but administrators, the initiator, actors and delegates; conflict for one that is not open. */
export const requireOpen = (session: Pick<Session, 'principal'>, task: Task): void => {
  if (!mayEnd(session, task))
    throw fail('forbidden', `${session.principal.name} may not act on task ${task.id}`)
  if (task.state !== 'opened') throw fail('conflict', `Task ${task.id} is ${task.state} already`)
}

/**
 * Ends or cancels the document of a task, and takes back what it has granted.
 *
 * @param task as it was read in this transaction.
 * @throws conflict (retryable) when it has changed since.
 */
export const closeTask = async (
  session: Session,
  task: Task,
  { transition, comment }: { transition: 'end' | 'cancel'; comment?: string },
): Promise<Task> => {
  const inside = privileged(session)
  const properties = comment ? withComment(inside, task.record, comment) : undefined
  const closed = await followTransition(inside, task.record, transition, { properties })
  await revokeOnDocuments(inside, task)
  return taskOf(closed)
}

const listOf = ({ properties }: DocumentRecord, name: string) => {
  const value = properties[name]
  return Array.isArray(value) ? value : []
}

/** The comments of a task with one more. @throws badRequest for a comment that is too long, or one too many. */
const withComment = ({ principal, now }: Session, current: DocumentRecord, text: string): Properties => {
  requireShort('comment', text)
  const comment = { author: principal.name, text, creationDate: now.toISOString() }
  const comments = [...listOf(current, 'nt:taskComments'), comment]
  requireFew('comments', comments)
  return { 'nt:taskComments': comments }
}

/** @throws badRequest for a comment that is too long, or one too many. */
export const addTaskComment = async (session: Session, id: string, text: string): Promise<void> => {
  await writeQuietly(session, id, (current) => ({ properties: withComment(session, current, text) }))
}

/** Writes who acts on a task, and lets them read it. @throws badRequest for too many. */
export const setActors = async (
  session: Session,
  task: Task,
  { actors, delegatedActors }: Pick<Task, 'actors' | 'delegatedActors'>,
): Promise<Task> => {
  requireFew('actors', actors)
  requireFew('delegatedActors', delegatedActors)
  const inside = privileged(session)
  const written = await writeQuietly(inside, task.id, () => ({
    properties: { 'nt:actors': actors, 'nt:delegatedActors': delegatedActors },
  }))
  return taskOf(await letAct(inside, written, [...actors, ...delegatedActors]))
}
