export { listWorkflows } from './list-workflows.js'
export { retryWorkflow } from './retry-workflow.js'
