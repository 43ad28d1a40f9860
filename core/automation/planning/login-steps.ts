import { fail } from '../../platform/errors/index.js'
import type { ChainStep } from '../language/index.js'
import type { PlanNode } from './plan.js'

const LOGIN = 'Auth.LoginAs'
const LOGOUT = 'Auth.Logout'

/** Identities that are taken and not given back, with those of one more step. */
const loggedInAfter = (open: number, { operation }: Pick<ChainStep, 'operation'>): number => {
  if (operation === LOGIN) return open + 1
  return operation === LOGOUT && open > 0 ? open - 1 : open
}

/** Whether a step of a chain acts for somebody whom the chain has logged in before. */
export const isLoggedInAt = (steps: readonly ChainStep[], step: ChainStep): boolean =>
  steps.slice(0, steps.indexOf(step)).reduce(loggedInAfter, 0) > 0

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
    open = node.steps.reduce(loggedInAfter, open)
  }
}
