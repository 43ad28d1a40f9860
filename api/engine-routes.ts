import { Hono } from 'hono'
import type { SegmentDependencies } from '../core/automation/execution/index.js'
import { knownNamesRegistry } from '../core/automation/lint/index.js'
import type { Session } from '../core/content/documents/index.js'
import { requireDownload } from '../core/content/download-permissions/index.js'
import type { LogFields } from '../core/platform/telemetry/index.js'
import { createAutomationRoutes, type EntityWriter } from './automation/index.js'
import { createBulkRoutes } from './bulk/index.js'
import { createContributionRoutes } from './contributions/index.js'
import { createConversionRoutes } from './conversions/index.js'
import { sendBlob, sendPermitted } from './download/index.js'
import { API, type Environment, inListTurn, type RequestContext } from './edge/index.js'
import type { Engine } from './engine.js'
import { adapterEngine } from './engine-adapters.js'
import {
  type Adapter,
  createDocumentRoutes,
  documentsEntity,
  linksOf,
  plainDocumentsEntity,
  type RestServices,
} from './rest/index.js'
import { createExecuteRoutes } from './upload/index.js'
import { createWebhookRoutes } from './webhooks/index.js'

const writerOf = (rest: RestServices, c: RequestContext, session: Session): EntityWriter => {
  const renderer = rest.renderer(c, session)
  return {
    document: (record) => renderer.one(record),
    entries: (records) => inListTurn(c, () => renderer.many(records)),
    around: (records, page) => (page ? documentsEntity(page, records) : plainDocumentsEntity([])),
  }
}

/** Adds fields to each line that operations log. */
const loggingAs = (segments: SegmentDependencies, fields: LogFields): SegmentDependencies => {
  const { services } = segments
  const log: typeof services.log = (level, message, more) =>
    services.log(level, message, { ...fields, ...more })
  return { ...segments, services: { ...services, log } }
}

/**
 * Documents, and what needs the engine: automation, chains as contributions, conversions.
 *
 * @param adapters of other protocols, besides those of documents.
 */
export const createEngineRoutes = (
  rest: RestServices,
  { engine, adapters }: { engine: Engine; adapters: readonly Adapter[] },
): Hono<Environment> => {
  const { platform } = rest
  const { blobs, settings } = platform
  const { chains, deployments, segments } = engine.runtime
  const links = (c: RequestContext) =>
    linksOf(c, { publicUrl: settings.http.publicUrl, repository: platform.repository })
  const restRootOf = (c: RequestContext): string => links(c).api
  const conversions = createConversionRoutes({
    jobs: engine.conversions,
    converters: engine.runtime.converters,
    restRootOf,
    sendBlob: (c, blob) => sendBlob(c, { blobs, blob }),
    streams: platform.progressStreams,
  })
  const automation = createAutomationRoutes({
    registry: chains.latest,
    segments: (registry, requestId) => {
      const plain = segments(registry)
      return requestId === undefined ? plain : loggingAs(plain, { requestId })
    },
    contributions: () => platform.snapshot().contributions,
    names: () => platform.snapshot().get(knownNamesRegistry),
    runs: engine.runs,
    workflows: engine.workflows,
    schedules: engine.schedules,
    blobs,
    uploads: platform.uploads,
    limits: settings.http,
    largeSubtree: settings.largeSubtree,
    writerOf: (c, session) => writerOf(rest, c, session),
    principal: (name) => platform.authenticator.principal(name),
    restRootOf,
    downloadUrlOf: (c, key) => `${links(c).base}/nxbigblob/${key}`,
    temporal: settings.temporal,
    files: {
      requireDownload: (session, file) => requireDownload(session, { ...file, reason: 'download' }),
      sendFile: (c, file) => sendPermitted(c, platform, { ...file, reason: 'download' }),
    },
  })
  const app = new Hono<Environment>()
  app.route(`${API}/automation`, automation.app)
  app.route(`${API}/contributions`, createContributionRoutes({ deployments, feed: platform.deployed.feed }))
  app.route(
    `${API}/webhooks`,
    createWebhookRoutes({ snapshot: platform.snapshot, deliveries: engine.webhookDeliveries }),
  )
  app.route(API, conversions.app)
  app.route(
    '/',
    createExecuteRoutes({
      uploads: platform.uploads,
      maxJsonBytes: settings.http.maxJsonBytes,
      callOn: automation.callOn,
    }),
  )
  app.route(
    API,
    createBulkRoutes({
      segments: async () => segments(chains.latest()),
      names: () => platform.snapshot().get(knownNamesRegistry),
      maxJsonBytes: settings.http.maxJsonBytes,
      cancel: engine.workflows.cancel,
    }),
  )
  app.route(
    '/',
    createDocumentRoutes(rest, {
      adapters,
      engine: adapterEngine(rest, engine, {
        convert: conversions.convert,
        callOn: automation.callOn,
        runLarge: automation.runLarge,
      }),
    }),
  )
  return app
}
