import { Hono } from 'hono'
import type { Environment } from '../edge/index.js'
import { createModelRoutes, modelDocs } from './model-routes.js'
import { createOperatorRoutes, operatorDocs } from './operator-routes.js'
import type { WorkflowServices } from './services.js'
import { createTaskRoutes, taskDocs } from './task-routes.js'
import { createTrialRoutes, trialDocs } from './trial-routes.js'
import { createWorkflowRoutes, workflowDocs as routeDocs } from './workflow-routes.js'

export { workflowAdapterDocs, workflowAdapters } from './adapters.js'
export { workflowServices } from './services.js'

export const workflowDocs = [...routeDocs, ...modelDocs, ...trialDocs, ...taskDocs, ...operatorDocs]

/** Document workflows and their tasks over HTTP. */
export const createWorkflowProtocol = (services: WorkflowServices): Hono<Environment> => {
  const routes = new Hono<Environment>()
  routes.route('/', createWorkflowRoutes(services))
  routes.route('/', createModelRoutes(services))
  routes.route('/', createTrialRoutes(services))
  routes.route('/', createTaskRoutes(services))
  routes.route('/', createOperatorRoutes(services))
  return routes
}
