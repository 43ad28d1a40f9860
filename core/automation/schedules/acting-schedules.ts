import type { ContributionFeed, Snapshots } from '../../platform/contributions/index.js'
import { type Schedule, schedulesPoint, schedulesRegistry } from './schedules-point.js'

/** A schedule with the name of whom it acts as. */
export type ActingSchedule = { schedule: Schedule; username: string }

/** Every schedule that is deployed at this moment, by name: it acts as the user that it names, or else who deployed it. */
export const actingSchedules = async ({
  feed,
  snapshots,
}: {
  feed: Pick<ContributionFeed, 'current'>
  snapshots: Pick<Snapshots, 'of'>
}): Promise<ReadonlyMap<string, ActingSchedule>> => {
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
