export { type CloudEvent, cloudEventOf, type HappenedEvent } from './cloud-event.js'
export { type Delivery, deliver } from './deliver.js'
export {
  type DeliveriesFilter,
  type DeliveryReport,
  deliveryId,
  type WebhookDeliveries,
} from './deliveries.js'
export { unknownInWebhook } from './unknown-names.js'
export { unreachable } from './unreachable.js'
export { type EventChoice, isChosen, isWanted } from './wanted.js'
export { type Webhook, webhooksPoint, webhooksRegistry } from './webhooks-point.js'
