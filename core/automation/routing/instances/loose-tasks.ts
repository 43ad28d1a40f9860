import { requirePermission } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../execution/index.js'
import { jsonOf, type OperationContext } from '../../language/index.js'
import {
  countOpenLooseTasks,
  createTask,
  distinct,
  MAX_ASSIGNEES,
  notifyAssignees,
  requireFew,
  type Task,
} from '../tasks/index.js'
import { emitAboutTask } from './events.js'
import { insideOf } from './move-route.js'

/** What a task says that belongs to no route. */
export type LooseTask = {
  name: string
  dueDate?: string | undefined
  directive?: string | undefined
  comment?: string | undefined
  acceptChain?: string | undefined
  rejectChain?: string | undefined
  /** A variable of the chain that names actors. */
  actorsVariable?: string | undefined
  actors: readonly string[]
  isOneEach: boolean
}

/** How callers name the actors. */
const ACTORS = 'additional list of actors prefixed ids'

const actorsOf = ({ variables }: OperationContext, { actorsVariable, actors }: LooseTask): string[] => {
  const value = actorsVariable === undefined ? undefined : variables[actorsVariable]
  const named = value ? jsonOf(value) : []
  const listed = Array.isArray(named) ? named : [named]
  return distinct([...listed.filter((actor) => typeof actor === 'string'), ...actors])
}

/** Seconds. */
const LATER = { retryAfter: 60 }

/** @throws tooManyRequests for all but administrators, when they would have more open tasks than they may. */
const requireRoom = async ({ session, services }: OperationContext, wanted: number): Promise<void> => {
  const { isAdministrator, name: initiator } = session.principal
  const most = services.limits.openTasks
  if (isAdministrator || (await countOpenLooseTasks(session, { initiator, most })) + wanted <= most) return
  throw fail('tooManyRequests', `User ${initiator} may have ${most} open tasks made by Task.Create`, LATER)
}

/**
 * Creates tasks on a document that belong to no route: one for each actor, or one for all.
 *
 * @throws badRequest when nobody is to act on it, or more than may be given tasks at once; forbidden for a chain that
 * whoever calls this may not call, or without `Write` on its document; tooManyRequests as `requireRoom`.
 */
export const createLooseTasks = async (
  context: OperationContext,
  document: DocumentRecord,
  wanted: LooseTask,
): Promise<Task[]> => {
  const actors = actorsOf(context, wanted)
  if (actors.length === 0) throw fail('badRequest', `${ACTORS}: names nobody`)
  requireFew(ACTORS, actors, MAX_ASSIGNEES)
  const { session } = context
  const { name, directive = '', comment = '', dueDate, acceptChain, rejectChain } = wanted
  // The chain runs with the rights of who ends the task: nobody is to have others call what is not theirs to call.
  if (acceptChain) context.requireMayName('accept operation chain', acceptChain)
  if (rejectChain) context.requireMayName('reject operation chain', rejectChain)
  // A button says nothing of its chain, which may change the document: its reader is not to have others do so.
  if (acceptChain || rejectChain) await requirePermission(session, document, 'Write')
  const lists = wanted.isOneEach ? actors.map((actor) => [actor]) : [actors]
  await requireRoom(context, lists.length)
  const inside = insideOf(context)
  const tasks: Task[] = []
  for (const shared of lists) {
    throwIfStopped(context.signal)
    const task = await createTask(session, {
      type: 'TaskDoc',
      name,
      directive,
      comment,
      initiator: session.principal.name,
      actors: shared,
      documentIds: [document.id],
      dueDate: dueDate ?? session.now.toISOString(),
      variables: {
        ...(acceptChain && { acceptOperationChain: acceptChain }),
        ...(rejectChain && { rejectOperationChain: rejectChain }),
      },
    })
    await emitAboutTask(inside.session, { task }, 'workflowTaskAssigned')
    await notifyAssignees(inside, task, { actors: shared })
    tasks.push(task)
  }
  return tasks
}
