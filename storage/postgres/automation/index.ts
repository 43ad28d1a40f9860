export { BULK_CHANNEL, createBulkStore } from './bulk.js'
export { createHousekeeping } from './housekeeping.js'
export { createOutboxRelay, type OutboxRelay, type RelayedEvent } from './outbox-relay.js'
export { createUnitsOfWork, reachOf, type Sharing } from './units-of-work.js'
