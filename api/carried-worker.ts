import { asyncLocalStorage } from '@temporalio/activity'
import { Client, type ClientInterceptors } from '@temporalio/client'
import { restStorages, type Tracing } from '../core/platform/telemetry/index.js'
import type { AutomationRuntime, Platform } from '../runtime/index.js'
import {
  connect,
  createWorker,
  installRuntime,
  readWorkflowBundle,
  type SegmentListener,
} from '../worker/index.js'

/** A client whose runs begin in this process, by the worker that shares its connection. */
export type CarriedWorker = { client: Client; close(): Promise<void> }

/**
 * Gives this process a worker of its own for the runs that it starts: Temporal hands the first task of a run
 * back with the answer to its start (eager workflow start), which saves the way over the queue and back. It
 * runs workflow code and local activities; pages of loops, conversions and other long work are left to the
 * workers.
 *
 * @param signal ends the wait for a Temporal that does not answer.
 */
export const carryWorker = async ({
  platform,
  runtime,
  interceptors,
  tracing,
  signal,
  onSegment,
}: {
  platform: Platform
  runtime: AutomationRuntime
  interceptors: ClientInterceptors
  tracing: Tracing | undefined
  signal: AbortSignal
  onSegment: SegmentListener
}): Promise<CarriedWorker> => {
  const { settings, logger } = platform
  const { address, namespace } = settings.temporal
  installRuntime(logger)
  const connection = await connect(address, logger, signal)
  const workflows = await readWorkflowBundle()
  const worker = await createWorker({
    connection,
    settings,
    platform,
    runtime,
    workflows,
    tracing,
    carried: { onSegment },
  })
  restStorages(connection.callContextStorage, asyncLocalStorage)
  const running = worker.run()
  return {
    client: new Client({ connection, namespace, interceptors }),
    close: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
      await running
      await connection.close()
    },
  }
}
