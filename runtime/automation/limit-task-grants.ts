import { SYSTEM } from '../../core/access/security/index.js'
import { runDeployed } from '../../core/automation/execution/index.js'
import { limitGrants } from '../../core/automation/routing/instances/index.js'
import { GRANTING } from '../../core/automation/routing/tasks/index.js'
import type { Platform } from '../platform.js'
import type { AutomationRuntime } from './automation.js'
import { idsInPages } from './ids-in-pages.js'

/**
 * Takes back what open tasks grant beyond what who has started their workflow may pass on by now, in every repository:
 * what ends by a date or with a group is seen by nothing else. Each document in a transaction of its own.
 */
export const limitTaskGrants = async (
  platform: Pick<Platform, 'repositories'>,
  { segments }: Pick<AutomationRuntime, 'segments'>,
  signal: AbortSignal,
): Promise<void> => {
  const granted = idsInPages(platform, ({ acls }, asked) => acls.grantedBy(GRANTING, asked))
  for await (const { repository, id } of granted)
    await runDeployed(segments(undefined, repository), { principal: SYSTEM, signal }, async ({ session }) => {
      await limitGrants(session, [id])
      return {}
    })
}
