export { ensureSearchAttributes, runAttributes } from './attributes/index.js'
export { createBlobCollections } from './blob-collection/index.js'
export { connectionOptions, connectTemporal, type TemporalPlace, temporalOn } from './client/index.js'
export { createConversionRuns } from './conversions/index.js'
export { statusOf } from './describe/index.js'
export { engineFailure } from './failures/index.js'
export { createFolderImports } from './folder-imports/index.js'
export { createOpenConversions, createOpenRuns, readOpenRuns } from './list/index.js'
export { createMediaRuns } from './media/index.js'
export { type OnDemand, startOnDemand } from './on-demand.js'
export { createPayloads, createRemoteCodec, missingKeyFailure } from './payloads/index.js'
export { createRouteRuns, signalRoute } from './routes/index.js'
export { createSchedules, ensureSchedules, reconcileSchedules } from './schedules/index.js'
export {
  type ChainToStart,
  createHandovers,
  type EmbeddedWorker,
  startBulk,
  startChain,
  startEventPage,
  startEventRun,
  startMedia,
  startScan,
  startSearchIndex,
  startSearchSubtree,
} from './start/index.js'
export { createWebhookDeliveries, startDelivery } from './webhooks/index.js'
export { createWorkflowRuns } from './workflow-runs.js'
