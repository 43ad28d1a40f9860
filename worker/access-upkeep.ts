import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../core/settings/index.js'
import { type Database, UPKEEP_CHANNEL } from '../storage/postgres/index.js'

const WORKFLOW_ID = 'access-upkeep-now'

/**
 * Starts the upkeep of access rights as soon as a change of rights has left something to do, and when a worker begins
 * to listen, for what it has not heard. Of several workers one starts it; a run that goes on looks again.
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
      await client.workflow.signalWithStart('accessUpkeep', {
        workflowId: `${temporal.taskQueue}-${WORKFLOW_ID}`,
        taskQueue: temporal.taskQueue,
        signal: 'more',
      })
    } catch (error) {
      logger.warn(error, 'the upkeep of access rights could not be started; its schedule will')
    }
  }
  const listeners = await Promise.all(
    databases.map(({ sql }) =>
      sql.listen(
        UPKEEP_CHANNEL,
        () => void start(),
        () => void start(),
      ),
    ),
  )
  return async () => {
    await Promise.all(listeners.map((listener) => listener.unlisten()))
  }
}
