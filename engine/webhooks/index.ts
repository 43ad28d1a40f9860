export { createWebhookDeliveries } from './deliveries.js'
export { startDelivery } from './start-delivery.js'
