import { setTimeout as pause } from 'node:timers/promises'
import { type ScheduleRun, scheduleIdOf } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Temporal } from '../client/index.js'
import { describeSchedule, latestOf } from './describe.js'

/** Timeout and poll interval of waiting for the engine to start a run, milliseconds. */
const STARTS_WITHIN_MS = 10_000
const LOOK_MS = 50

/** The error of a schedule whose previous run is running. */
export const overlapping = (name: string, run: string | undefined) =>
  fail(
    'conflict',
    `The schedule '${name}' skips overlapping runs; its run${run === undefined ? '' : ` ${run}`} is still running`,
  )

/** The run that started after another one; undefined when none does before the timeout. */
const startedSince = async (
  temporal: Temporal,
  name: string,
  before: string | undefined,
): Promise<Pick<ScheduleRun, 'workflowId'> | undefined> => {
  for (const end = Date.now() + STARTS_WITHIN_MS; Date.now() < end; await pause(LOOK_MS)) {
    const known = await describeSchedule(temporal, name)
    const latest = known && latestOf(known)
    if (latest && latest.firstExecutionRunId !== before) return { workflowId: latest.workflowId }
  }
  return undefined
}

/**
 * Triggers a schedule at once.
 *
 * @throws unavailable when no worker has created it in the engine yet; conflict while its previous run is running.
 */
export const triggerSchedule = async (
  temporal: Temporal,
  { schedule: { name, overlap, chain } }: ActingSchedule,
): Promise<ScheduleRun> => {
  const { client, taskQueue } = temporal
  const known = await describeSchedule(temporal, name)
  if (!known) throw fail('unavailable', `The schedule '${name}' is being created; try again`)
  const running = known.info.runningActions.at(-1)?.workflow.workflowId
  if (running !== undefined && overlap === 'skip') throw overlapping(name, running)
  // The engine's own overlap policy covers concurrent calls at other processes.
  await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).trigger(known.policies.overlap)
  if (running !== undefined && overlap === 'wait') return { schedule: name, waitsFor: running }
  if (chain === undefined) return { schedule: name }
  return { schedule: name, ...(await startedSince(temporal, name, latestOf(known)?.firstExecutionRunId)) }
}
