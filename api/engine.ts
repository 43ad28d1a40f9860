import type { FolderImports } from '../core/automation/folder-imports/index.js'
import type { RouteRuns } from '../core/automation/routing/following/index.js'
import {
  type ConversionRuns,
  createConversionQuota,
  createRunQuota,
  createRuns,
  createRunTraces,
  type Runs,
  type Schedules,
  type WorkflowRuns,
} from '../core/automation/runs/index.js'
import { actingSchedules } from '../core/automation/schedules/index.js'
import type { WebhookDeliveries } from '../core/automation/webhooks/index.js'
import type { MediaRuns } from '../core/content/media/index.js'
import type { BlobCollections } from '../core/files/blobs/index.js'
import type { HealthCheck, Tracing } from '../core/platform/telemetry/index.js'
import {
  connectTemporal,
  createBlobCollections,
  createConversionRuns,
  createFolderImports,
  createMediaRuns,
  createOpenConversions,
  createOpenRuns,
  createRouteRuns,
  createSchedules,
  createWebhookDeliveries,
  createWorkflowRuns,
} from '../engine/index.js'
import { type AutomationRuntime, createAutomationRuntime, type Platform } from '../runtime/index.js'
import { createAwaitedListeners } from '../worker/events/index.js'
import { createEmbeddedWorker } from './embedded-worker.js'

/** The engine of the API: operations run in this process, everything longer on Temporal. */
export type Engine = {
  runtime: AutomationRuntime
  /** Runs of all executions. */
  runs: Runs
  /** Runs that Temporal executes. */
  workflows: WorkflowRuns
  schedules: Schedules
  /** Document routes. */
  routes: RouteRuns
  /** What is made of files. */
  media: MediaRuns
  /** Folders of the server that become documents. */
  folderImports: FolderImports
  conversions: ConversionRuns
  blobCollections: BlobCollections
  webhookDeliveries: WebhookDeliveries
  healthChecks: readonly HealthCheck[]
  /** The same engine, acting on another repository of the platform. */
  on(repository: Platform): Engine
  /** Starts a worker in this process for the runs that it starts, as soon as Temporal responds. */
  startEmbeddedWorker(tracing?: Tracing): Promise<void>
  close(): Promise<void>
}

/** Builds the engine of an API process. It connects to Temporal on first use. */
export const createEngine = async (platform: Platform): Promise<Engine> => {
  const embeddedWorker = createEmbeddedWorker()
  const temporal = await connectTemporal(platform, () => embeddedWorker.current()?.client)
  const { client, taskQueue, uiUrl, interceptors } = temporal
  const onError = (error: unknown): void =>
    platform.logger.warn(error, 'the end of a run could not be counted')
  const quota = createRunQuota({
    max: platform.settings.openRuns,
    runs: createOpenRuns({ client, taskQueue }),
    store: platform.openRuns,
    onError,
  })
  const conversionQuota = createConversionQuota({
    max: platform.settings.openConversions,
    runs: createOpenConversions({ client, taskQueue }),
    store: platform.openConversions,
    onError,
  })

  const workflowsOn = ({ units, repository }: Platform): WorkflowRuns =>
    createWorkflowRuns({
      client,
      taskQueue,
      uiUrl,
      embedded: embeddedWorker.current,
      units,
      repository: repository === platform.repository ? undefined : repository,
      quota,
    })

  const runsOn = ({ units, repository }: Platform, workflows: WorkflowRuns): Runs =>
    createRuns({
      workflows,
      units,
      current: async () => {
        const registry = runtime.chains.latest()
        return { registry, segments: runtime.segments(registry, repository) }
      },
      principal: platform.authenticator.principal,
    })

  const runtime = await createAutomationRuntime(platform, {
    traces: createRunTraces((repository) => {
      const asked = platform.repositories.get(repository) ?? platform
      return runsOn(asked, workflowsOn(asked))
    }),
    conversionQuota,
  })

  platform.afterCommit.run = createAwaitedListeners({ temporal: { client, taskQueue }, platform, runtime })

  const executing = (
    own: Platform,
  ): Pick<Engine, 'runs' | 'workflows' | 'routes' | 'media' | 'folderImports'> => {
    const workflows = workflowsOn(own)
    const repository = own.repository === platform.repository ? undefined : own.repository
    const routes = createRouteRuns({ client, taskQueue, repository })
    const media = createMediaRuns({ client, taskQueue, repository })
    const folderImports = createFolderImports({ client, taskQueue, repository })
    return { workflows, runs: runsOn(own, workflows), routes, media, folderImports }
  }

  const engine: Engine = {
    runtime,
    ...executing(platform),
    on: (other) => ({
      ...engine,
      runtime: {
        ...runtime,
        segments: (registry) => runtime.segments(registry, other.repository),
      },
      ...executing(other),
    }),
    schedules: createSchedules({
      client,
      taskQueue,
      deployed: () => actingSchedules(platform.deployed),
    }),
    webhookDeliveries: createWebhookDeliveries({ client, taskQueue }),
    blobCollections: createBlobCollections({ client, taskQueue }),
    conversions: createConversionRuns({ client, taskQueue, quota: conversionQuota }),
    healthChecks: temporal.healthChecks,
    startEmbeddedWorker: (tracing) => embeddedWorker.begin({ platform, runtime, interceptors, tracing }),
    close: async () => {
      await embeddedWorker.end()
      await temporal.close()
      await runtime.close()
    },
  }
  return engine
}
