export { connect } from './connect.js'
export { createWorker } from './create-worker.js'
export { installRuntime } from './temporal-runtime.js'
export { readWorkflowBundle } from './workflow-bundle.js'
