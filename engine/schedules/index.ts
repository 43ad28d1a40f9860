export { ensureSchedules } from './product-schedules.js'
export { reconcileSchedules } from './reconcile.js'
export { createSchedules } from './schedules.js'
