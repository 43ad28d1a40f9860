export { listWorkflows } from './list.js'
export { createOpenRuns } from './open-runs.js'
