import type { WebhookInput } from '../../activities/types.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { startRun } from '../start/index.js'

/**
 * Starts a delivery, unless it has begun before.
 *
 * @param reuse `afterEnd`: again after one that has ended.
 * @returns false when it has begun before.
 */
export const startDelivery = async (
  temporal: Temporal,
  input: WebhookInput,
  { reuse = 'never' }: { reuse?: 'never' | 'afterEnd' } = {},
): Promise<boolean> => {
  const { id, webhook, event, requestId } = input
  const started = await startRun(temporal, {
    workflow: 'webhookDelivery',
    input,
    workflowId: id,
    reuse,
    attributes: runAttributes({
      chainId: webhook,
      principal: String(event.data.principal),
      requestId,
      documentId: event.subject,
      event: event.type,
    }),
    summary: `${event.type}: ${webhook}`,
  })
  return started !== undefined
}
