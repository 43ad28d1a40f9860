import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker'
import { createAccessUpkeepActivities } from '../activities/access-upkeep.js'
import { createBulkActivities } from '../activities/bulk.js'
import { createChainActivities, type SegmentListener } from '../activities/chain.js'
import { createConversionActivities } from '../activities/conversion.js'
import { createEventPageActivities } from '../activities/event-page.js'
import { createFolderImportActivities } from '../activities/folder-import.js'
import { createHousekeepingActivities } from '../activities/housekeeping.js'
import { createMailActivities } from '../activities/mail.js'
import { createMediaActivities } from '../activities/media.js'
import { createRouteActivities } from '../activities/route.js'
import { createScheduleActivities } from '../activities/schedule.js'
import { createSearchIndexActivities } from '../activities/search-index.js'
import { createStepSlots } from '../activities/step-slots.js'
import type { RunPlace } from '../activities/types.js'
import { createWebhookActivities } from '../activities/webhook.js'
import type { SegmentDependencies } from '../core/automation/execution/index.js'
import { actingSchedules } from '../core/automation/schedules/index.js'
import { webhooksRegistry } from '../core/automation/webhooks/index.js'
import { createHttpClient, createHttpRules } from '../core/platform/http/index.js'
import type { Settings } from '../core/platform/settings/index.js'
import type { Tracing } from '../core/platform/telemetry/index.js'
import {
  createPayloads,
  readOpenRuns,
  startEventRun,
  startSearchSubtree,
  temporalOn,
} from '../engine/index.js'
import {
  type AutomationRuntime,
  createBlobCollection,
  createMailDelivery,
  createMediaMakings,
  limitTaskGrants,
  type Platform,
  purgeRoutes,
  removeExpiredUploads,
} from '../runtime/index.js'
import { createAccessUpkeep, createHousekeeping, databaseFailure } from '../storage/postgres/index.js'
import { createAwaitRun } from './await-run.js'
import { activityScope } from './interceptors/activity-scope.js'
import { outcomeSinks } from './interceptors/outcomes.js'
import { signedInputs } from './interceptors/signed-inputs.js'
import { storageUser } from './interceptors/storage-user.js'
import { tracingActivities, tracingSinks } from './interceptors/tracing.js'
import type { WorkerMetrics } from './metrics.js'
import { ownRunsTuner } from './own-runs.js'
import { WorkflowWorker } from './workflow-worker.js'

/**
 * A worker inside an API process. It begins the runs of that process, which needs a slot for each that is under
 * way at once: a run without a slot takes the longer way over the queue. It polls little, for its runs' next tasks.
 */
const EMBEDDED = { slots: 200, polls: 4 }

/**
 * Conversions, and what is made of files, that wait for a program, beside the steps of chains: a user has twenty of the
 * first open, and twenty of the others are under way at a time. Without room of their own they would keep those of all
 * others from being begun, for whom a program is free.
 */
const WAITING = 60

/** How long the next task of a run may wait for the process that has done the one before, which may be dead. */
const STICKY_TIMEOUT = '1s'

/** The dependencies of the activities of a run. */
const segmentsOf =
  (runtime: AutomationRuntime) =>
  async ({ repository, eventDepth }: RunPlace): Promise<SegmentDependencies> => {
    const segments = runtime.segments(undefined, repository)
    return { ...segments, units: segments.units.startedByEvent(eventDepth ?? 0) }
  }

/**
 * A worker for all workflows and activities of the product. Its sizes are chosen for many short runs:
 * cached workflows cost no replay, and slots beyond the cores keep those busy while others wait for I/O.
 */
export const createWorker = async ({
  connection,
  settings,
  platform,
  runtime,
  workflows,
  metrics,
  tracing,
  embedded,
}: {
  connection: NativeConnection
  settings: Settings
  platform: Platform
  runtime: AutomationRuntime
  workflows: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>
  metrics?: WorkerMetrics
  /** Absent: this worker adds no spans to the traces of its callers. */
  tracing?: Tracing | undefined
  /** Inside an API: only workflow code and local activities; other workers run activities with heartbeats. */
  embedded?: { onSegment: SegmentListener }
}): Promise<Worker> => {
  const slots = createStepSlots(settings.worker.activitySlots)
  return WorkflowWorker.create({
    ...workflows,
    connection,
    namespace: settings.temporal.namespace,
    taskQueue: settings.temporal.taskQueue,
    dataConverter: createPayloads(platform),
    activities: {
      ...createChainActivities({
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
        awaitRun: createAwaitRun(connection, platform),
        failureOf: databaseFailure,
        onSegment: embedded?.onSegment,
        slots,
      }),
      ...createEventPageActivities({
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
        startApart: (page, run) => startEventRun(temporalOn(connection, platform), page, run),
      }),
      ...createBulkActivities({
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
        slots,
      }),
      ...createFolderImportActivities({
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
        folders: settings.importFolders,
      }),
      ...createRouteActivities({
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
        periodMs: settings.escalationPeriodMs,
      }),
      ...createConversionActivities(runtime.conversions),
      ...createAccessUpkeepActivities(
        createAccessUpkeep(platform.databases, async () => {
          await platform.deployed.feed.current()
          return platform.snapshot().permissions
        }),
        (signal) => limitTaskGrants(platform, runtime, signal),
      ),
      ...createMediaActivities(createMediaMakings(platform, runtime)),
      ...createMailActivities(createMailDelivery(platform)),
      ...createScheduleActivities({
        schedule: async (name) => (await actingSchedules(platform.deployed)).get(name),
        registry: runtime.chains.current,
        segments: segmentsOf(runtime),
        principal: platform.authenticator.principal,
      }),
      ...createSearchIndexActivities(
        (repository = platform.repository) => platform.indexing.get(repository),
        (input) => startSearchSubtree(temporalOn(connection, platform), input),
      ),
      ...createWebhookActivities(createHttpClient(createHttpRules(settings.httpAllow)), async (name) => {
        await platform.deployed.feed.current()
        return platform.snapshot().get(webhooksRegistry).get(name)
      }),
      ...createHousekeepingActivities(
        createHousekeeping(platform.databases, platform.settings),
        createBlobCollection(platform, (found) => readOpenRuns(temporalOn(connection, platform), found)),
        () => removeExpiredUploads(platform),
        (signal) => purgeRoutes(platform, runtime, signal),
      ),
    },
    interceptors: {
      activity: [
        ...(embedded ? [storageUser] : []),
        ...(tracing ? await tracingActivities() : []),
        activityScope(metrics),
        signedInputs,
      ],
    },
    sinks: { ...tracingSinks(tracing), ...outcomeSinks(platform.metrics) },
    enableNonLocalActivities: !embedded,
    maxCachedWorkflows: settings.worker.cachedWorkflows,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    ...(embedded
      ? {
          tuner: ownRunsTuner({
            workflows: EMBEDDED.slots,
            localActivities: settings.worker.activitySlots,
          }),
          maxConcurrentWorkflowTaskPolls: EMBEDDED.polls,
        }
      : {
          maxConcurrentWorkflowTaskExecutions: settings.worker.workflowSlots,
          maxConcurrentActivityTaskExecutions: settings.worker.activitySlots + WAITING,
          maxConcurrentLocalActivityExecutions: settings.worker.activitySlots + WAITING,
        }),
    // The default is four fifths of an activity's timeout, which would delay progress and cancellation as much.
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '20s',
    shutdownForceTime: '30s',
  })
}
