import { queryIds, removeDocument } from '../../../content/documents/index.js'
import { quoteNxql } from '../../../model/nxql/index.js'
import type { OperationContext } from '../../language/index.js'
import { loadRoute } from './instance.js'
import { cancelRoute, insideOf } from './move-route.js'

/** Tasks of one route: nodes with several tasks have at most a hundred each, again and again. */
const MAX_TASKS = 100_000

/**
 * Removes a route with its tasks, its state and what was executed of its rules. One that runs is cancelled alone: its
 * workflow has to learn of that before there is nothing left to look at.
 *
 * @param context of the system.
 * @returns whether it is removed.
 */
export const purgeRoute = async (context: OperationContext, routeId: string): Promise<boolean> => {
  const route = await loadRoute(context.session, routeId, { hold: true })
  if (route.status === 'running') {
    await cancelRoute(context, routeId)
    return false
  }
  const { session } = insideOf(context)
  const tasks = await queryIds(
    session,
    `SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND nt:processId = ${quoteNxql(routeId)}`,
    MAX_TASKS,
  )
  for (const id of [...tasks, routeId]) {
    const document = await session.stores.documents.get(id)
    if (document) await removeDocument(session, document)
  }
  return true
}
