import { setTimeout as pause } from 'node:timers/promises'
import { type ScheduleRun, scheduleIdOf } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Temporal } from '../client/index.js'
import { describeSchedule, latestOf } from './describe.js'

/** Milliseconds for which the engine's start of a run is waited for, and between two looks. */
const STARTS_WITHIN_MS = 10_000
const LOOK_MS = 50

/** The error of a schedule that does not run while its run before goes on. */
export const overlapping = (name: string, run: string | undefined) =>
  fail(
    'conflict',
    `The schedule '${name}' skips what overlaps: its run${run === undefined ? '' : ` ${run}`} goes on`,
  )

/** The run that has begun since another one; undefined when none does in time. */
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
 * Does at once what a schedule does at its times.
 *
 * @throws unavailable when no worker has created it in the engine yet; conflict while its run before goes on.
 */
export const triggerSchedule = async (
  temporal: Temporal,
  { schedule: { name, overlap, chain } }: ActingSchedule,
): Promise<ScheduleRun> => {
  const { client, taskQueue } = temporal
  const known = await describeSchedule(temporal, name)
  if (!known) throw fail('unavailable', `The schedule '${name}' is being made: ask again`)
  const running = known.info.runningActions.at(-1)?.workflow.workflowId
  if (running !== undefined && overlap === 'skip') throw overlapping(name, running)
  // The engine's own rule holds for those who ask at once at other processes.
  await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).trigger(known.policies.overlap)
  if (running !== undefined && overlap === 'wait') return { schedule: name, waitsFor: running }
  if (chain === undefined) return { schedule: name }
  return { schedule: name, ...(await startedSince(temporal, name, latestOf(known)?.firstExecutionRunId)) }
}
