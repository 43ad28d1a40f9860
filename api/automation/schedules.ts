import { type Client, ScheduleNotFoundError } from '@temporalio/client'
import { type ActingSchedule, scheduleIdOf } from '../../worker/index.js'

/** Times that are told of a schedule, each way. */
const TIMES = 5

/** A schedule that is deployed, with what the engine knows of it. */
export type ScheduleReport = {
  id: string
  chain?: string
  event?: string
  cron: string
  timezone: string
  username: string
  /** `pending`: no worker has told the engine of it yet. */
  state: 'active' | 'paused' | 'pending'
  /** What whoever paused it has left. */
  note?: string
  /** When it comes next, the earliest first. */
  next: readonly Date[]
  /** The runs that it has started, the latest first. */
  runs: readonly { workflowId: string; scheduledAt: Date; startedAt: Date }[]
  /** Times at which nothing was started: because of the run before, and because the engine was down for too long. */
  left: { overlapping: number; missed: number }
}

export type Schedules = {
  /** All that are deployed, by name. */
  list(): Promise<readonly ScheduleReport[]>
}

/** What is known of schedules: as they are deployed, and as the engine keeps them. */
export const createSchedules = ({
  client,
  taskQueue,
  deployed,
}: {
  client: Client
  taskQueue: string
  deployed(): Promise<ReadonlyMap<string, ActingSchedule>>
}): Schedules => {
  const describe = async (name: string) => {
    try {
      return await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).describe()
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
      return undefined
    }
  }

  const reportOf = async ({ schedule, username }: ActingSchedule): Promise<ScheduleReport> => {
    const { name: id, chain, event, cron, timezone } = schedule
    const known = await describe(id)
    const note = known?.state.note
    const recent = known?.info.recentActions.slice(-TIMES).reverse() ?? []
    return {
      id,
      ...(chain !== undefined && { chain }),
      ...(event !== undefined && { event }),
      cron,
      timezone,
      username,
      state: known ? (known.state.paused ? 'paused' : 'active') : 'pending',
      ...(note && { note }),
      next: known?.info.nextActionTimes.slice(0, TIMES) ?? [],
      runs: recent.map(({ scheduledAt, takenAt, action: { workflow } }) => ({
        workflowId: workflow.workflowId,
        scheduledAt,
        startedAt: takenAt,
      })),
      left: {
        overlapping: known?.info.numActionsSkippedOverlap ?? 0,
        missed: known?.info.numActionsMissedCatchupWindow ?? 0,
      },
    }
  }

  return {
    list: async () => {
      const all = [...(await deployed()).values()]
      const reports = await Promise.all(all.map(reportOf))
      return reports.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
}
