import { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../core/platform/settings/index.js'
import type { Database } from '../storage/postgres/index.js'

/** What a worker listens with. */
export type Listening = {
  connection: NativeConnection
  settings: Pick<Settings, 'temporal'>
  databases: readonly Database[]
  logger: Logger
}

/** A workflow that looks for work, and on the signal `more` once more before it ends. */
export type OnDemand = {
  workflow: string
  /** Its id behind the name of the task queue. */
  id: string
  /** Where databases say that there is work. */
  channel: string
  /** What is logged when it could not be started. */
  failure: string
}

/**
 * Starts a workflow as soon as a transaction has left it something to do, and when a worker begins to listen, for what
 * it has not heard. Of several workers one starts it; a run that goes on looks again.
 *
 * @returns what ends the listening.
 */
export const startOnDemand = async (
  { workflow, id, channel, failure }: OnDemand,
  { connection, settings: { temporal }, databases, logger }: Listening,
): Promise<() => Promise<void>> => {
  const client = new Client({ connection, namespace: temporal.namespace })
  const start = async (): Promise<void> => {
    try {
      await client.workflow.signalWithStart(workflow, {
        workflowId: `${temporal.taskQueue}-${id}`,
        taskQueue: temporal.taskQueue,
        signal: 'more',
      })
    } catch (error) {
      logger.warn(error, failure)
    }
  }
  const listeners = await Promise.all(
    databases.map(({ sql }) =>
      sql.listen(
        channel,
        () => void start(),
        () => void start(),
      ),
    ),
  )
  return async () => {
    await Promise.all(listeners.map((listener) => listener.unlisten()))
  }
}
