import type { NativeConnection } from '@temporalio/worker'
import { type OnDemand, startOnDemand, type TemporalPlace, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'

/** The dependencies of listening. */
export type Listening = {
  connection: NativeConnection
  platform: TemporalPlace & Pick<Platform, 'databases' | 'logger'>
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
  { connection, platform }: Listening,
): Promise<() => Promise<void>> => {
  const { databases, logger } = platform
  const temporal = temporalOn(connection, platform)
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
