import { SYSTEM } from '../../core/access/security/index.js'
import { runDeployed } from '../../core/automation/execution/index.js'
import { limitGrants } from '../../core/automation/routing/instances/index.js'
import { GRANTING } from '../../core/automation/routing/tasks/index.js'
import type { Platform } from '../platform.js'
import type { AutomationRuntime } from './automation.js'

/** Documents of one look. */
const PAGE = 100

/**
 * Takes back what open tasks grant beyond what who has started their workflow may pass on by now, in every repository:
 * what ends by a date or with a group is seen by nothing else. Each document in a transaction of its own.
 */
export const limitTaskGrants = async (
  { repositories }: Pick<Platform, 'repositories'>,
  { segments }: Pick<AutomationRuntime, 'segments'>,
  signal: AbortSignal,
): Promise<void> => {
  for (const [name, { readSession }] of repositories) {
    const { acls } = readSession(SYSTEM).stores
    for (let after: string | undefined, isMore = true; isMore; ) {
      const found = await acls.grantedBy(GRANTING, { after, limit: PAGE })
      for (const id of found)
        await runDeployed(segments(undefined, name), { principal: SYSTEM, signal }, async ({ session }) => {
          await limitGrants(session, [id])
          return {}
        })
      after = found.at(-1)
      isMore = found.length === PAGE
    }
  }
}
