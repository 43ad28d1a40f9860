export { runFailure } from './run-failure.js'
export { engineFailure } from './unavailable.js'
