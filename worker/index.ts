export { startEmbeddedWorker } from './embedded-worker.js'
