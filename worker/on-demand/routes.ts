import type { NativeConnection } from '@temporalio/worker'
import { SYSTEM } from '../../core/access/security/index.js'
import { signalRoute, type TemporalPlace, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { ROUTES_CHANNEL } from '../../storage/postgres/index.js'

/** Interval of looking for routes whose notification was missed, e.g. while Temporal was down, milliseconds. */
const LOOK_MS = 15_000

/**
 * Lets the workflows of routes know what transactions have done to them: routes that a chain has started, tasks that an
 * operation has ended. Each change is followed until a workflow was notified of it.
 *
 * @returns a function that stops it.
 */
export const startRoutesOnDemand = async ({
  connection,
  platform,
}: {
  connection: NativeConnection
  platform: TemporalPlace & Pick<Platform, 'repositories' | 'repository' | 'logger'>
}): Promise<() => Promise<void>> => {
  const temporal = temporalOn(connection, platform)

  const signalChanged = async (own: Platform, repository: string | undefined): Promise<void> => {
    try {
      const { routes } = own.readSession(SYSTEM).stores
      for (const { id: routeId, revision, modelId, initiator } of await routes.unfollowed()) {
        await signalRoute(temporal, { routeId, modelId, initiator, repository })
        await routes.follow(routeId, revision)
      }
    } catch (error) {
      platform.logger.warn(error, 'workflows of routes could not be notified of changes; will retry')
    }
  }

  const listeners = await Promise.all(
    [...platform.repositories].map(async ([name, own]) => {
      const look = () => void signalChanged(own, name === platform.repository ? undefined : name)
      const unlisten = await own.database.listening.listen(ROUTES_CHANNEL, look, look)
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
