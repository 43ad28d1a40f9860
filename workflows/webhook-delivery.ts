import { proxyActivities } from '@temporalio/workflow'
import type { WebhookActivities, WebhookInput } from '../activities/types.js'

/** A server that is away for a day finds what it has missed; an operator delivers again what is older. */
const { deliverWebhook } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 hour' },
})

/** Delivers one event to one webhook. @returns the status with which it was accepted. */
export async function webhookDelivery(input: WebhookInput): Promise<{ status: number }> {
  return deliverWebhook(input)
}
