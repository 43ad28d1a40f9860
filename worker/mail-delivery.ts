import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../core/settings/index.js'
import { type Database, MAIL_CHANNEL } from '../storage/postgres/index.js'

const WORKFLOW_ID = 'mail-delivery-now'

/**
 * Starts the delivery of mail as soon as a transaction has left some, and when a worker begins to listen, for what it
 * has not heard. Of several workers one starts it; a run that goes on looks again.
 *
 * @returns what ends the listening.
 */
export const startMailOnDemand = async ({
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
      await client.workflow.signalWithStart('mailDelivery', {
        workflowId: `${temporal.taskQueue}-${WORKFLOW_ID}`,
        taskQueue: temporal.taskQueue,
        signal: 'more',
      })
    } catch (error) {
      logger.warn(error, 'the delivery of mail could not be started; its schedule will')
    }
  }
  const listeners = await Promise.all(
    databases.map(({ sql }) =>
      sql.listen(
        MAIL_CHANNEL,
        () => void start(),
        () => void start(),
      ),
    ),
  )
  return async () => {
    await Promise.all(listeners.map((listener) => listener.unlisten()))
  }
}
