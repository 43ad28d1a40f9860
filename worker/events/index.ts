export { startAudit } from './audit.js'
export { createAwaitedListeners } from './awaited.js'
export { startEventRelay } from './relay.js'
export { startWebhookRelay } from './webhooks.js'
