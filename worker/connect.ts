import { setTimeout as pause } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Settings } from '../core/platform/settings/index.js'
import { connectionOptions } from '../engine/index.js'

/** Waits between attempts, milliseconds; the last one is repeated. */
const WAITS = [100, 200, 500, 1_000, 2_000, 5_000]

/** Connects to Temporal, however long it takes to come up: a worker without it has nothing to do. */
export const connect = async (
  temporal: Settings['temporal'],
  logger: Logger,
  signal?: AbortSignal,
): Promise<NativeConnection> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await NativeConnection.connect(connectionOptions(temporal))
    } catch (error) {
      const wait = WAITS[Math.min(attempt, WAITS.length - 1)]
      logger.warn(
        { address: temporal.address, wait, reason: error instanceof Error ? error.message : String(error) },
        'Temporal does not respond',
      )
      await pause(wait, undefined, { signal })
    }
  }
}
