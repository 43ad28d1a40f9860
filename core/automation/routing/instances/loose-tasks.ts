import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { jsonOf, type OperationContext } from '../../language/index.js'
import { createTask, distinct, notifyAssignees, type Task } from '../tasks/index.js'
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

const actorsOf = ({ variables }: OperationContext, { actorsVariable, actors }: LooseTask): string[] => {
  const value = actorsVariable === undefined ? undefined : variables[actorsVariable]
  const named = value ? jsonOf(value) : []
  const listed = Array.isArray(named) ? named : [named]
  return distinct([...listed.filter((actor) => typeof actor === 'string'), ...actors])
}

/**
 * Creates tasks on a document that belong to no route: one for each actor, or one for all.
 *
 * @throws badRequest when nobody is to act on it; forbidden for a chain that whoever calls this may not call.
 */
export const createLooseTasks = async (
  context: OperationContext,
  document: DocumentRecord,
  wanted: LooseTask,
): Promise<Task[]> => {
  const actors = actorsOf(context, wanted)
  if (actors.length === 0) throw fail('badRequest', 'additional list of actors prefixed ids: names nobody')
  const { session } = context
  const { name, directive = '', comment = '', dueDate, acceptChain, rejectChain } = wanted
  // The chain runs with the rights of who ends the task: nobody is to have others call what is not theirs to call.
  if (acceptChain) context.requireMayName('accept operation chain', acceptChain)
  if (rejectChain) context.requireMayName('reject operation chain', rejectChain)
  const inside = insideOf(context)
  const tasks: Task[] = []
  for (const shared of wanted.isOneEach ? actors.map((actor) => [actor]) : [actors]) {
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
