import type { Principal } from '../core/access/security/index.js'
import type { SegmentDependencies } from '../core/automation/execution/index.js'
import type { Registry } from '../core/automation/language/index.js'
import {
  type ActingSchedule,
  emitScheduled,
  type Firing,
  planScheduled,
} from '../core/automation/schedules/index.js'
import { fail } from '../core/platform/errors/index.js'
import { failing } from './failure.js'
import type { FiredSchedule, RunPlace, ScheduleActivities } from './types.js'

/** The activities of `scheduledChain` and `scheduledEvent`: thin, each one call of the core. */
export const createScheduleActivities = ({
  schedule: find,
  registry,
  segments,
  principal,
}: {
  /** As it is deployed at this moment; undefined when it is not. */
  schedule(name: string): Promise<ActingSchedule | undefined>
  /** What can be called at this moment. */
  registry(): Promise<Registry>
  segments(place: RunPlace): Promise<Pick<SegmentDependencies, 'units'>>
  principal(name: string): Promise<Principal | undefined>
}): ScheduleActivities => {
  const firingOf = async ({ schedule: name, runId }: FiredSchedule): Promise<Firing> => {
    const acting = await find(name)
    if (!acting) throw fail('notFound', `The schedule '${name}' is not deployed any more`)
    const user = await principal(acting.username)
    if (!user) throw fail('forbidden', `User ${acting.username} does not exist or is disabled`)
    return { schedule: acting.schedule, principal: user, runId }
  }
  return {
    planScheduled: (fired) =>
      failing(async () => {
        const firing = await firingOf(fired)
        const { units } = await segments(firing.schedule)
        return planScheduled(firing, { registry: await registry(), units })
      }),
    emitScheduled: (fired) =>
      failing(async () => {
        const firing = await firingOf(fired)
        await emitScheduled(firing, (await segments(firing.schedule)).units)
      }),
  }
}
