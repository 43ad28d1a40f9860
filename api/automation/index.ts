export { type AutomationDependencies, createAutomationRoutes } from './routes.js'
export { createRuns, type Runs } from './runs.js'
