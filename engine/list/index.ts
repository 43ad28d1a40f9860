export { listWorkflows } from './list.js'
export { readOpenRuns } from './open-run-texts.js'
export { createOpenRuns } from './open-runs.js'
