import type { NativeConnection } from '@temporalio/worker'
import { actingSchedules } from '../core/automation/schedules/index.js'
import { reconcileSchedules, temporalOn } from '../engine/index.js'
import type { Platform } from '../runtime/index.js'
import { whileAlone } from '../storage/postgres/index.js'

/** Interval of reconciling what no notification announced or an operator removed in the engine, milliseconds. */
const LOOK_MS = 60_000

/**
 * Reconciles the engine's schedules with the deployed ones: at once, after each deployment, and periodically. One worker
 * does so at a time.
 *
 * @param options `lookMs`: interval of the periodic reconciliation.
 * @returns a function that stops it.
 */
export const startChainSchedules = async (
  { connection, platform }: { connection: NativeConnection; platform: Platform },
  { lookMs = LOOK_MS }: { lookMs?: number } = {},
): Promise<() => Promise<void>> => {
  const { database, deployed, logger } = platform
  const temporal = temporalOn(connection, platform)
  let known: ReadonlySet<string> = new Set()
  let wanted = 0
  let working: Promise<void> | undefined

  const reconcile = async (): Promise<void> => {
    const lock = `archivolt-schedules ${temporal.taskQueue}`
    const names = await whileAlone(database, lock, async () =>
      reconcileSchedules({ ...temporal, logger }, await actingSchedules(deployed), known),
    )
    // Undefined when another worker holds the lock.
    if (names) known = names
  }

  /** A request during a reconciliation causes another one right after. */
  const work = async (): Promise<void> => {
    while (wanted > 0) {
      const asked = wanted
      try {
        await reconcile()
      } catch (error) {
        logger.warn(error, 'schedules could not be reconciled; will retry')
      }
      wanted -= asked
    }
    working = undefined
  }
  const look = (): void => {
    wanted += 1
    working ??= work()
  }
  const stop = await deployed.store.listen(look)
  const timer = setInterval(look, lookMs)
  look()
  return async () => {
    clearInterval(timer)
    await stop()
    await working
  }
}
