import { SYSTEM } from '../../core/access/security/index.js'
import { runDeployed } from '../../core/automation/execution/index.js'
import { purgeRoute } from '../../core/automation/routing/instances/index.js'
import type { Platform } from '../platform.js'
import type { AutomationRuntime } from './automation.js'
import { idsInPages } from './ids-in-pages.js'

/**
 * Removes document workflows, in every repository, of which no document is left that they are about: each in a
 * transaction of its own. One that runs is cancelled, and removed the next time.
 *
 * @returns how many were removed.
 */
export const purgeRoutes = async (
  platform: Pick<Platform, 'repositories'>,
  { segments }: Pick<AutomationRuntime, 'segments'>,
  signal: AbortSignal,
): Promise<number> => {
  let removed = 0
  const abandoned = idsInPages(platform, async ({ routes }, asked) =>
    (await routes.abandoned(asked)).map(({ id }) => id),
  )
  for await (const { repository, id } of abandoned) {
    const { isRemoved } = await runDeployed(
      segments(undefined, repository),
      { principal: SYSTEM, signal },
      async (context) => ({ isRemoved: await purgeRoute(context, id) }),
    )
    if (isRemoved) removed += 1
  }
  return removed
}
