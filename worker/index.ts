export { carryWorker } from './carried-worker.js'
