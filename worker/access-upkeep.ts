import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../core/settings/index.js'
import { type Database, UPKEEP_CHANNEL } from '../storage/postgres/index.js'

const WORKFLOW_ID = 'access-upkeep-now'

/**
 * Starts the upkeep of access rights as soon as a change of rights has left something to do. Whoever of several
 * workers is first starts it; what a run that is about to end has missed is found by the schedule.
 *
 * @returns what ends the listening.
 */
export const startUpkeepOnDemand = async ({
  connection,
  settings: { temporal },
  databases,
  logger,
}: {
  connection: NativeConnection
  settings: Pick<Settings, 'temporal'>
  databases: readonly Database[]
  logger: Logger
}): Promise<() => Promise<void>> => {
  const client = new Client({ connection, namespace: temporal.namespace })
  const start = async (): Promise<void> => {
    try {
      await client.workflow.start('accessUpkeep', {
        workflowId: `${temporal.taskQueue}-${WORKFLOW_ID}`,
        taskQueue: temporal.taskQueue,
        workflowIdConflictPolicy: 'USE_EXISTING',
      })
    } catch (error) {
      logger.warn(error, 'the upkeep of access rights could not be started; its schedule will')
    }
  }
  const listeners = await Promise.all(
    databases.map(({ sql }) => sql.listen(UPKEEP_CHANNEL, () => void start())),
  )
  return async () => {
    await Promise.all(listeners.map((listener) => listener.unlisten()))
  }
}
