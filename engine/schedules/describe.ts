import { type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client'
import { type ScheduleReport, scheduleIdOf } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import type { Temporal } from '../client/index.js'

/** Maximum of reported next and previous times of a schedule. */
const TIMES = 5

/** The engine's description of a schedule; undefined when no worker has created it yet. */
export const describeSchedule = async (
  { client, taskQueue }: Temporal,
  name: string,
): Promise<ScheduleDescription | undefined> => {
  try {
    return await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).describe()
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error
    return undefined
  }
}

/** The run of its latest time, distinguished from those before by its first execution. */
export const latestOf = ({ info }: ScheduleDescription) => info.recentActions.at(-1)?.action.workflow

export const reportSchedule = async (
  temporal: Temporal,
  { schedule, username }: ActingSchedule,
): Promise<ScheduleReport> => {
  const { name: id, chain, event, cron, timezone } = schedule
  const known = await describeSchedule(temporal, id)
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
