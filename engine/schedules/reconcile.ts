import { ScheduleNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import { scheduleIdOf } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import type { Temporal } from '../client/index.js'
import { definitionOf, revisionIn } from './definition.js'

/** Distinguishes our schedules from others in the same namespace. */
const MEMO = 'archivoltSchedule'

/** A paused schedule stays paused. */
const ensureOne = async ({ client, taskQueue }: Temporal, acting: ActingSchedule): Promise<void> => {
  const { name } = acting.schedule
  const definition = definitionOf(acting, taskQueue)
  const scheduleId = scheduleIdOf(taskQueue, name)
  const handle = client.schedule.getHandle(scheduleId)
  try {
    const { action } = await handle.describe()
    if (revisionIn(action.args) === definition.action.args[0].revision) return
    await handle.update(({ state }) => ({ ...definition, state }))
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error
    await client.schedule.create({ ...definition, scheduleId, memo: { [MEMO]: { taskQueue, name } } })
  }
}

const removeOthers = async (
  { client, taskQueue }: Temporal,
  names: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Promise<void> => {
  const gone = new Set([...known].filter((name) => !names.has(name)))
  for await (const { memo } of client.schedule.list()) {
    const ours = memo?.[MEMO] as { taskQueue?: string; name?: string } | undefined
    if (ours?.taskQueue === taskQueue && ours.name !== undefined && !names.has(ours.name)) gone.add(ours.name)
  }
  for (const name of gone) {
    try {
      await client.schedule.getHandle(scheduleIdOf(taskQueue, name)).delete()
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
    }
  }
}

/**
 * Reconciles the engine's schedules with the deployed ones. One process at a time may do so, with what is deployed when its
 * turn has come, so that an outdated process never undoes the work of another.
 *
 * @param known names that this process has seen deployed: the engine's list lags behind.
 * @returns the names that are deployed.
 */
export const reconcileSchedules = async (
  { logger, ...temporal }: Temporal & { logger: Logger },
  deployed: ReadonlyMap<string, ActingSchedule>,
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const names = new Set(deployed.keys())
  for (const acting of deployed.values()) {
    try {
      await ensureOne(temporal, acting)
    } catch (error) {
      // One that the engine refuses does not prevent the others.
      logger.error({ err: error, schedule: acting.schedule.name }, 'a schedule could not be created')
    }
  }
  await removeOthers(temporal, names, known)
  return names
}
