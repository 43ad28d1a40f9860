export { readBacklog } from './backlog.js'
export { BULK_CHANNEL, createBulkStore } from './bulk.js'
export { createWatchHolding } from './holding.js'
export { createHousekeeping } from './housekeeping.js'
export { createOpenRunStore } from './open-runs.js'
export {
  createOutboxRelay,
  eventsAfter,
  eventsById,
  eventsOfTransaction,
  type OutboxPlace,
  outboxEnd,
} from './outbox-relay.js'
export { ensureRunKey } from './run-key.js'
export { createUnitsOfWork, reachOf } from './units-of-work.js'
