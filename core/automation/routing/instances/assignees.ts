import { isKnownName } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import type { NodeModel } from '../model/index.js'
import { bareActor, distinct, kindOfActor, MAX_ASSIGNEES, requireFew } from '../tasks/index.js'
import { actorsIn, type Place } from './scope.js'

/** Who gets the tasks of a node: all, those whom its model names, and chosen ones whom nobody knows. */
export type Assignees = {
  assignees: string[]
  named: ReadonlySet<string>
  strangers: ReadonlySet<string>
}

/**
 * Chosen assignees whom nobody knows. The initiator may be no user any more, or the product itself.
 *
 * @throws badRequest naming one whom the caller of the move has named.
 */
const strangersIn = async (
  { session }: OperationContext,
  { route, node }: Place,
  { chosen, isChosenNow }: { chosen: readonly string[]; isChosenNow: boolean },
): Promise<Set<string>> => {
  const strangers = new Set<string>()
  for (const actor of chosen) {
    const name = bareActor(actor)
    if (name === route.initiator || (await isKnownName(session, name, kindOfActor(actor)))) continue
    if (isChosenNow)
      throw fail(
        'badRequest',
        `Node ${node}: assignees of its task: there is no ${kindOfActor(actor) ?? 'user or group'} '${name}'`,
      )
    strangers.add(actor)
  }
  return strangers
}

/**
 * Whom the expression of a node gives, by somebody's choice, and whom its model names.
 *
 * @param options `isChosenNow`: the caller of the move sets variables with it.
 * @throws conflict for nobody; badRequest for too many, and for one whom nobody knows.
 */
export const assigneesOf = async (
  context: OperationContext,
  place: Place,
  { node, isChosenNow }: { node: NodeModel; isChosenNow: boolean },
): Promise<Assignees> => {
  const { taskAssignees, taskAssigneesExpr } = node
  const chosen = taskAssigneesExpr === undefined ? [] : await actorsIn(context, place, taskAssigneesExpr)
  const assignees = distinct([...chosen, ...taskAssignees])
  if (assignees.length === 0) {
    const reason = taskAssigneesExpr === undefined ? '' : `: ${taskAssigneesExpr} gives nobody`
    throw fail('conflict', `Node ${place.node}: nobody is assigned to its task${reason}`)
  }
  requireFew(`Node ${place.node}: assignees of its task`, assignees, MAX_ASSIGNEES)
  const named = new Set(taskAssignees)
  const asked = assignees.filter((actor) => !named.has(actor))
  return { assignees, named, strangers: await strangersIn(context, place, { chosen: asked, isChosenNow }) }
}
