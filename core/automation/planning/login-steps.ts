import { fail } from '../../platform/errors/index.js'
import type { PlanNode } from './plan.js'

export const LOGIN = 'Auth.LoginAs'
export const LOGOUT = 'Auth.Logout'

/**
 * Refuses a chain in which somebody is still logged in where it commits: an identity holds within a transaction, and
 * what follows would run as the caller without anybody noticing.
 *
 * @throws invalid naming the step that commits.
 */
export const requireLoggedOut = (id: string, nodes: readonly PlanNode[]): void => {
  let open = 0
  for (const node of nodes) {
    if (node.kind !== 'segment') {
      if (open > 0)
        throw fail(
          'invalid',
          `Chain ${id}: ${node.title} commits while ${LOGIN} is in force; put ${LOGOUT} before it, or log in inside of what it runs`,
        )
      continue
    }
    for (const { operation } of node.steps) {
      if (operation === LOGIN) open++
      if (operation === LOGOUT && open > 0) open--
    }
  }
}
