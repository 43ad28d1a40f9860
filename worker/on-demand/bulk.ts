import type { NativeConnection } from '@temporalio/worker'
import { startBulk, type TemporalPlace, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { BULK_CHANNEL, createBulkStore, type Sql } from '../../storage/postgres/index.js'

/** Interval of looking for commands whose notification was missed, e.g. while Temporal was down, milliseconds. */
const LOOK_MS = 15_000

/**
 * Starts bulk commands as soon as the transactions that submit them have committed, and those that have waited since
 * before. A command is started once, by its id, however many workers are notified.
 *
 * @returns a function that stops it.
 */
export const startBulkOnDemand = async ({
  connection,
  platform,
}: {
  connection: NativeConnection
  platform: TemporalPlace & Pick<Platform, 'repositories' | 'repository' | 'logger'>
}): Promise<() => Promise<void>> => {
  const temporal = temporalOn(connection, platform)

  const startWaiting = async (sql: Sql, repository: string | undefined): Promise<void> => {
    try {
      const store = createBulkStore(sql)
      for (const { id, principal, requestId, eventDepth, ...about } of await store.waiting()) {
        const place = { ...(repository && { repository }), ...(eventDepth > 0 && { eventDepth }) }
        await startBulk(temporal, { commandId: id, principal, requestId, ...place }, about)
        await store.markStarted(id)
      }
    } catch (error) {
      platform.logger.warn(error, 'bulk commands could not be started; will retry')
    }
  }

  const listeners = await Promise.all(
    [...platform.repositories].map(async ([name, { database }]) => {
      const look = () => void startWaiting(database.sql, name === platform.repository ? undefined : name)
      const unlisten = await database.listening.listen(BULK_CHANNEL, look, look)
      return { unlisten, timer: setInterval(look, LOOK_MS) }
    }),
  )
  return async () => {
    for (const { unlisten, timer } of listeners) {
      clearInterval(timer)
      await unlisten()
    }
  }
}
