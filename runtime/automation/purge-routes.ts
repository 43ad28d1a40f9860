import { SYSTEM } from '../../core/access/security/index.js'
import { runDeployed } from '../../core/automation/execution/index.js'
import { purgeRoute } from '../../core/automation/routing/instances/index.js'
import type { Platform } from '../platform.js'
import type { AutomationRuntime } from './automation.js'

/** Routes of one look. */
const PAGE = 100

/**
 * Removes document workflows, in every repository, of which no document is left that they are about: each in a
 * transaction of its own. One that runs is cancelled, and removed the next time.
 *
 * @returns how many were removed.
 */
export const purgeRoutes = async (
  { repositories }: Pick<Platform, 'repositories'>,
  { segments }: Pick<AutomationRuntime, 'segments'>,
  signal: AbortSignal,
): Promise<number> => {
  let removed = 0
  for (const [name, { readSession }] of repositories) {
    const { routes } = readSession(SYSTEM).stores
    for (let after: string | undefined, isMore = true; isMore; ) {
      const found = await routes.abandoned({ after, limit: PAGE })
      for (const { id } of found) {
        const { isRemoved } = await runDeployed(
          segments(undefined, name),
          { principal: SYSTEM, signal },
          async (context) => ({ isRemoved: await purgeRoute(context, id) }),
        )
        if (isRemoved) removed += 1
      }
      after = found.at(-1)?.id
      isMore = found.length === PAGE
    }
  }
  return removed
}
