import { asyncLocalStorage } from '@temporalio/activity'
import type { Client, ClientInterceptors } from '@temporalio/client'
import type { SegmentListener } from '../activities/chain.js'
import { restStorages, type Tracing } from '../core/platform/telemetry/index.js'
import { temporalOn } from '../engine/index.js'
import type { AutomationRuntime, Platform } from '../runtime/index.js'
import { connect } from './connect.js'
import { createWorker } from './create-worker.js'
import { installRuntime } from './temporal-runtime.js'
import { readWorkflowBundle } from './workflow-bundle.js'

/**
 * Starts a worker inside an API process for the runs that it starts: Temporal returns the first task of a run
 * with the response to its start (eager workflow start), which saves the way over the task queue. It
 * runs workflow code and local activities; pages of loops, conversions and other long work are left to the
 * workers.
 *
 * @param signal ends the wait for a Temporal that does not respond.
 * @returns a client whose runs begin in this process, by the worker that shares its connection.
 */
export const startEmbeddedWorker = async ({
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
}): Promise<{ client: Client; close(): Promise<void> }> => {
  const { settings, logger } = platform
  installRuntime(logger)
  const connection = await connect(settings.temporal, logger, signal)
  const workflows = await readWorkflowBundle()
  const worker = await createWorker({
    connection,
    settings,
    platform,
    runtime,
    workflows,
    tracing,
    embedded: { onSegment },
  })
  restStorages(connection.callContextStorage, asyncLocalStorage)
  const running = worker.run()
  const { client } = temporalOn(connection, platform, { interceptors })
  return {
    client,
    close: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
      await running
      await connection.close()
    },
  }
}
