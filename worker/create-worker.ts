import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import { createChainActivities } from '../activities/chain.js'
import { createConversionActivities } from '../activities/conversion.js'
import type { Settings } from '../core/settings/index.js'
import type { AutomationRuntime, Platform } from '../storage/platform/index.js'

/**
 * A worker for all workflows and activities of the product. Its sizes are chosen for many short runs:
 * cached workflows cost no replay, and slots beyond the cores keep those busy while others wait for I/O.
 */
export const createWorker = ({
  connection,
  settings,
  platform,
  runtime,
  workflows,
}: {
  connection: NativeConnection
  settings: Settings
  platform: Platform
  runtime: AutomationRuntime
  workflows: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>
}): Promise<Worker> =>
  Worker.create({
    ...workflows,
    connection,
    namespace: settings.temporal.namespace,
    taskQueue: settings.temporal.taskQueue,
    activities: {
      ...createChainActivities({ segments: runtime.segments, principal: platform.authenticator.principal }),
      ...createConversionActivities(runtime.conversions),
    },
    maxCachedWorkflows: settings.worker.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: settings.worker.workflowSlots,
    maxConcurrentActivityTaskExecutions: settings.worker.activitySlots,
    maxConcurrentLocalActivityExecutions: settings.worker.activitySlots,
    // The default is four fifths of an activity's limit: progress, and a cancellation, would come that late.
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '20s',
    shutdownForceTime: '30s',
  })
