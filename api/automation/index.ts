export { automationDocs } from './automation.docs.js'
export type { EntityWriter } from './calls/responses/document-responses.js'
export { createOperationPaths } from './registry/index.js'
export { type AutomationRoutes, createAutomationRoutes } from './routes.js'
