import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../../core/platform/settings/index.js'
import { type OnDemand, startOnDemand, temporalOn } from '../../engine/index.js'
import type { Database } from '../../storage/postgres/index.js'

/** What a worker listens with. */
export type Listening = {
  connection: NativeConnection
  settings: Pick<Settings, 'temporal'>
  databases: readonly Database[]
  logger: Logger
}

/** A workflow that is started as soon as there is work for it. */
export type Listened = OnDemand & {
  /** Where databases notify that there is work. */
  channel: string
  /** What is logged when it could not be started. */
  failure: string
}

/**
 * Starts a workflow as soon as a transaction has left it something to do, and when a worker begins to listen, for what
 * was left before. Of several workers one starts it; a run that goes on looks again.
 *
 * @returns what ends the listening.
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
