export type { EntityWriter } from './respond.js'
export { type AutomationDependencies, createAutomationRoutes } from './routes.js'
export { runFailure } from './run-failure.js'
export { createRuns, type Runs } from './runs.js'
