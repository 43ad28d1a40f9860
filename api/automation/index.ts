export { automationDocs } from './automation.docs.js'
export type { EntityWriter } from './calls/document-responses.js'
export { createOperationPaths } from './registry/index.js'
export { type AutomationRoutes, createAutomationRoutes } from './routes.js'
