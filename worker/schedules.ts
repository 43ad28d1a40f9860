import { Client, ScheduleAlreadyRunning } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Settings } from '../core/settings/index.js'

const HOUSEKEEPING = 'archivolt-housekeeping'

/**
 * Makes the schedules of the product that are not there yet. Operators see them, pause them and change their
 * times in the Temporal UI; what they have changed stays.
 */
export const ensureSchedules = async (
  connection: NativeConnection,
  { temporal }: Pick<Settings, 'temporal'>,
): Promise<void> => {
  const client = new Client({ connection, namespace: temporal.namespace })
  try {
    await client.schedule.create({
      scheduleId: HOUSEKEEPING,
      spec: { intervals: [{ every: '1 hour' }] },
      action: { type: 'startWorkflow', workflowType: 'housekeeping', taskQueue: temporal.taskQueue },
      policies: { overlap: 'SKIP' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
