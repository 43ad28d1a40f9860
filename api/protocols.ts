import { Hono } from 'hono'
import type { Platform } from '../runtime/index.js'
import { auditAdapter, auditAdapterDocs, auditDocs, createAuditRoutes } from './audit/index.js'
import { automationDocs } from './automation/index.js'
import { bulkDocs } from './bulk/index.js'
import { codecDocs, createCodecRoutes } from './codec/index.js'
import { configDocs, createConfigRoutes } from './config/index.js'
import { contributionDocs } from './contributions/index.js'
import { conversionDocs } from './conversions/index.js'
import { createDirectoryRoutes, directoryDocs } from './directories/index.js'
import { createDiscoveryRoutes, discoveryDocs } from './discovery/index.js'
import { createDownloadRoutes, downloadDocs } from './download/index.js'
import type { Environment } from './edge/index.js'
import type { Engine } from './engine.js'
import { createEngineRoutes } from './engine-routes.js'
import { createEventRoutes, eventDocs } from './events/index.js'
import { createIdentityRoutes, identityDocs } from './identity/index.js'
import { createImporterRoutes, importerDocs } from './importers/index.js'
import {
  blobManagementDocs,
  createBlobManagementRoutes,
  createManagementRoutes,
  managementDocs,
} from './management/index.js'
import type { RouteDoc } from './openapi/index.js'
import { createPassthroughRoutes, passthroughDocs } from './passthrough/index.js'
import {
  type Adapter,
  adapterDocs,
  createDocumentRoutes,
  documentDocs,
  engineAdapterDocs,
  type RestServices,
} from './rest/index.js'
import {
  createSavedSearchRoutes,
  createSearchRoutes,
  pageProviderAdapter,
  pageProviderDocs,
  savedSearchDocs,
  searchDocs,
} from './search/index.js'
import { createUploadRoutes, executeDocs, uploadDocs } from './upload/index.js'
import { webhookDocs } from './webhooks/index.js'
import { createUiRoutes, createWelcomeRoutes, uiDocs, welcomeDocs } from './welcome/index.js'
import {
  createWorkflowProtocol,
  workflowAdapterDocs,
  workflowAdapters,
  workflowDocs,
  workflowServices,
} from './workflow/index.js'

/** The dependencies of the routes of one repository. */
export type ServedRepository = { platform: Platform; rest: RestServices; engine: Engine | undefined }

/** A part of the HTTP edge: its routes on one repository, and their OpenAPI descriptions. */
type Protocol = {
  routes(served: ServedRepository): Hono<Environment>
  docs: readonly RouteDoc[]
  /** Whether it is served only with an engine. */
  engineDocs?: readonly RouteDoc[]
}

/** Adapters of documents that belong to other protocols. */
const adaptersOf = (rest: RestServices, engine?: Engine): readonly Adapter[] => [
  auditAdapter(rest),
  pageProviderAdapter(rest),
  ...(engine ? workflowAdapters(workflowServices(rest, engine)) : []),
]

/** All protocols, served for each repository. A new protocol is a folder and an entry here. */
export const protocols: readonly Protocol[] = [
  {
    routes: ({ rest, engine }) =>
      engine
        ? createEngineRoutes(rest, { engine, adapters: adaptersOf(rest, engine) })
        : createDocumentRoutes(rest, { adapters: adaptersOf(rest) }),
    docs: [...documentDocs, ...adapterDocs, ...auditAdapterDocs, ...pageProviderDocs],
    engineDocs: [
      ...engineAdapterDocs,
      ...automationDocs,
      ...bulkDocs,
      ...contributionDocs,
      ...conversionDocs,
      ...webhookDocs,
      ...workflowAdapterDocs,
    ],
  },
  {
    routes: ({ rest, engine }) =>
      engine ? createWorkflowProtocol(workflowServices(rest, engine)) : new Hono<Environment>(),
    docs: [],
    engineDocs: workflowDocs,
  },
  { routes: ({ rest }) => createSearchRoutes(rest), docs: searchDocs },
  { routes: ({ rest }) => createSavedSearchRoutes(rest), docs: savedSearchDocs },
  { routes: ({ platform }) => createAuditRoutes(platform), docs: auditDocs },
  { routes: ({ platform }) => createEventRoutes(platform), docs: eventDocs },
  { routes: ({ platform }) => createIdentityRoutes(platform), docs: identityDocs },
  { routes: ({ platform }) => createDirectoryRoutes(platform), docs: directoryDocs },
  { routes: ({ platform }) => createConfigRoutes(platform), docs: configDocs },
  {
    routes: ({ platform }) =>
      createDiscoveryRoutes({
        repositories: [...platform.repositories.keys()],
        version: platform.settings.http.platformVersion,
        node: platform.settings.node,
      }),
    docs: discoveryDocs,
  },
  { routes: ({ platform }) => createWelcomeRoutes(platform), docs: welcomeDocs },
  { routes: ({ platform }) => createUiRoutes(platform), docs: uiDocs },
  { routes: ({ platform }) => createDownloadRoutes(platform), docs: downloadDocs },
  {
    routes: ({ platform }) => createUploadRoutes(platform),
    docs: uploadDocs,
    engineDocs: executeDocs,
  },
  { routes: ({ platform }) => createCodecRoutes(platform), docs: codecDocs },
  { routes: ({ platform }) => createManagementRoutes(platform), docs: managementDocs },
  {
    routes: ({ engine }) =>
      engine ? createBlobManagementRoutes(engine.blobCollections) : new Hono<Environment>(),
    docs: [],
    engineDocs: blobManagementDocs,
  },
  {
    routes: ({ platform, engine }) =>
      engine ? createImporterRoutes(platform, engine.folderImports) : new Hono<Environment>(),
    docs: [],
    engineDocs: importerDocs,
  },
  { routes: ({ platform }) => createPassthroughRoutes(platform), docs: passthroughDocs },
]
