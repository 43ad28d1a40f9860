export { listWorkflows } from './list.js'
export { readOpenRuns } from './open-run-texts.js'
export { createOpenConversions, createOpenRuns } from './open-runs.js'
export { conversionsQuery, deliveriesQuery, workflowQuery } from './query.js'
