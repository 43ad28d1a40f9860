export { listWorkflows } from './list.js'
export { createOpenConversions, createOpenRuns } from './open-runs.js'
