import { loadPrincipal } from '../../../access/identity/index.js'
import { SYSTEM } from '../../../access/security/index.js'
import { getDocument, privileged, type Session, writeQuietly } from '../../../content/documents/index.js'
import { followTransition } from '../../../content/lifecycle/index.js'
import type { DocumentRecord, Properties } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { isAmong } from './actors.js'
import { requireFew, requireShort } from './bounds.js'
import { letAct } from './create-task.js'
import { revokeOnDocuments } from './document-rights.js'
import { TASK_FACET, type Task, taskOf } from './task.js'

const isTask = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes(TASK_FACET)

/**
 * The task of an id, for whoever may read its document, and for who has started its workflow: they may end it
 * (workflow-audit.md §2, Rights), though its document is for its actors alone.
 *
 * @throws notFound for a document that is none, or that is hidden.
 */
export const getTask = async (session: Session, id: string): Promise<Task> => {
  try {
    const record = await getDocument(session, id)
    if (isTask(session, record)) return taskOf(record)
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    const record = await session.stores.documents.get(id)
    const hidden = record && isTask(session, record) ? taskOf(record) : undefined
    if (hidden?.initiator === session.principal.name) return hidden
    throw error
  }
  throw fail('notFound', id)
}

/** Whether a task is somebody's without regard to groups. */
const isNamed = (name: string, { initiator, actors, delegatedActors }: Task): boolean =>
  name === initiator || isAmong({ name, groups: [] }, [...actors, ...delegatedActors])

/** Whether somebody may end a task (workflow-audit.md §2, Rights). */
const mayEnd = ({ principal }: Pick<Session, 'principal'>, task: Task): boolean =>
  principal.isAdministrator ||
  isNamed(principal.name, task) ||
  isAmong(principal, [...task.actors, ...task.delegatedActors])

const refused = ({ principal }: Pick<Session, 'principal'>, { id }: Task) =>
  fail('forbidden', `${principal.name} may not act on task ${id}`)

/** @throws forbidden for anybody but administrators, the initiator, actors and delegates; conflict for one that is not open. */
export const requireOpen = (session: Pick<Session, 'principal'>, task: Task): void => {
  if (!mayEnd(session, task)) throw refused(session, task)
  if (task.state !== 'opened') throw fail('conflict', `Task ${task.id} is ${task.state} already`)
}

/**
 * As `requireOpen`, by the groups that the database has now. Until the route was held, somebody may have left the group
 * that the task is for.
 *
 * @returns a session of who acts, as that is now.
 */
export const requireActing = async (session: Session, task: Task): Promise<Session> => {
  requireOpen(session, task)
  const { principal, identities } = session
  if (principal.name === SYSTEM.name || isNamed(principal.name, task)) return session
  const current = await loadPrincipal(identities, identities.rules, principal.name)
  if (!current) throw refused(session, task)
  const acting = { ...session, principal: current }
  requireOpen(acting, task)
  return acting
}

/** How tasks are closed, and what ends the work on it. */
type Closing = { transition: 'end' | 'cancel'; comment?: string; signal: AbortSignal }

/**
 * Ends or cancels the documents of tasks, and takes back what they have granted.
 *
 * @param tasks as they were read in this transaction.
 * @throws conflict (retryable) when it has changed since.
 */
export const closeTasks = async (
  session: Session,
  tasks: readonly Task[],
  { transition, comment, signal }: Closing,
): Promise<Task[]> => {
  const inside = privileged(session)
  const closed: Task[] = []
  for (const { record } of tasks) {
    throwIfStopped(signal)
    const properties = comment ? withComment(inside, record, comment) : undefined
    closed.push(taskOf(await followTransition(inside, record, transition, { properties })))
  }
  await revokeOnDocuments(inside, tasks, { signal })
  return closed
}

/** The same for one task. */
export const closeTask = async (session: Session, task: Task, closing: Closing): Promise<Task> => {
  const [closed] = await closeTasks(session, [task], closing)
  return closed ?? task
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
