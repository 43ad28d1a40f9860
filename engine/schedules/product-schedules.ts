import { type ConnectionLike, ScheduleAlreadyRunning } from '@temporalio/client'
import { DEFAULT_TASK_QUEUE, type Settings } from '../../core/platform/settings/index.js'
import { type TemporalPlace, temporalOn } from '../client/index.js'

const HOUSEKEEPING = 'archivolt-housekeeping'
const BLOB_COLLECTION = 'archivolt-blob-collection'
const MAIL = 'archivolt-mail'
const ACCESS_UPKEEP = 'archivolt-access-upkeep'
/** Milliseconds. */
const MINUTE = 60_000

/** A namespace has one schedule of an id: installations that share one have different task queues. */
export const productScheduleId = (name: string, taskQueue: string): string =>
  taskQueue === DEFAULT_TASK_QUEUE ? name : `${name}-${taskQueue}`

/**
 * Creates the missing schedules of the product. Operators see them, pause them and change their
 * times in the Temporal UI; their changes are kept.
 */
export const ensureSchedules = async (
  connection: ConnectionLike,
  place: TemporalPlace & { settings: Pick<Settings, 'access' | 'mail'> },
): Promise<void> => {
  const { access, mail } = place.settings
  const { client, taskQueue } = temporalOn(connection, place)
  const ensure = async (name: string, workflowType: string, every: number): Promise<void> => {
    try {
      await client.schedule.create({
        scheduleId: productScheduleId(name, taskQueue),
        spec: { intervals: [{ every }] },
        action: { type: 'startWorkflow', workflowType, taskQueue },
        policies: { overlap: 'SKIP' },
      })
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
    }
  }
  await ensure(HOUSEKEEPING, 'housekeeping', 60 * MINUTE)
  await ensure(BLOB_COLLECTION, 'blobCollection', 24 * 60 * MINUTE)
  if (mail) await ensure(MAIL, 'mailDelivery', MINUTE)
  await ensure(ACCESS_UPKEEP, 'accessUpkeep', access.upkeepMinutes * MINUTE)
}
