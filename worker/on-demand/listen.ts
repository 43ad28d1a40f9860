import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../../core/platform/settings/index.js'
import { type OnDemand, startOnDemand, temporalOn } from '../../engine/index.js'
import type { Database } from '../../storage/postgres/index.js'

/** The dependencies of listening. */
export type Listening = {
  connection: NativeConnection
  settings: Pick<Settings, 'temporal'>
  databases: readonly Database[]
  logger: Logger
}

/** A workflow that is started when there is work for it. */
export type Listened = OnDemand & {
  /** The channel of the notifications. */
  channel: string
  /** What is logged when it could not be started. */
  failure: string
}

/**
 * Starts a workflow when a committed transaction has notified of work, and when a worker begins to listen, for what
 * was missed before. One of several workers starts it; a running one polls again.
 *
 * @returns a function that stops it.
 */
export const listenFor = async (
  { channel, failure, ...work }: Listened,
  { connection, settings, databases, logger }: Listening,
): Promise<() => Promise<void>> => {
  const temporal = temporalOn(connection, settings.temporal)
  const start = async (): Promise<void> => {
    try {
      await startOnDemand(temporal, work)
    } catch (error) {
      logger.warn(error, failure)
    }
  }
  const listeners = await Promise.all(
    databases.map(({ listening }) =>
      listening.listen(
        channel,
        () => void start(),
        () => void start(),
      ),
    ),
  )
  return async () => {
    await Promise.all(listeners.map((unlisten) => unlisten()))
  }
}
