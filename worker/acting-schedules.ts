import type { ActingSchedule } from '../activities/schedule.js'
import { schedulesPoint, schedulesRegistry } from '../core/automation/schedules/index.js'
import type { Platform } from '../runtime/index.js'

/**
 * Every schedule that is deployed at this moment, by name, with whom it acts as: the user that it names, or else who
 * deployed it.
 */
export const actingSchedules = async ({
  deployed: { feed, snapshots },
}: Pick<Platform, 'deployed'>): Promise<ReadonlyMap<string, ActingSchedule>> => {
  const current = await feed.current()
  const authors = current.of(schedulesPoint.point)
  const schedules = [...snapshots.of(current).get(schedulesRegistry).values()]
  return new Map(
    schedules.map((schedule) => {
      // A file without a user is refused at the start.
      const username = schedule.username ?? authors.get(schedule.name)?.author ?? ''
      return [schedule.name, { schedule, username }]
    }),
  )
}
