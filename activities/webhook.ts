import { Context } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { deliver, type Webhook } from '../core/automation/webhooks/index.js'
import { fail } from '../core/platform/errors/index.js'
import type { HttpClient } from '../core/platform/http/index.js'
import { createDeliveryTurns } from './delivery-turns.js'
import { failing } from './failure.js'
import type { WebhookActivities } from './types.js'

/** How long a server may take, milliseconds. */
const ANSWER_MS = 20_000

/**
 * The activity of the workflow `webhookDelivery`.
 *
 * @param find the webhook as it is deployed at this moment; undefined when it is not.
 */
export const createWebhookActivities = (
  http: HttpClient,
  find: (name: string) => Promise<Webhook | undefined>,
): WebhookActivities => {
  const turns = createDeliveryTurns()
  return {
    deliverWebhook: async ({ id, webhook: name, event }) => {
      const turn = turns.take(name)
      if ('againInMs' in turn)
        throw ApplicationFailure.create({
          message: `As many deliveries are under way at this worker as webhook '${name}' may have`,
          nextRetryDelay: turn.againInMs,
          category: ApplicationFailureCategory.BENIGN,
        })
      const { cancellationSignal } = Context.current()
      const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(ANSWER_MS)])
      try {
        return await failing(async () => {
          const webhook = await find(name)
          if (!webhook) throw fail('notFound', `The webhook '${name}' is not deployed any more`)
          return deliver(http, webhook, { id, event, signal })
        })
      } finally {
        turn.end()
      }
    },
  }
}
