import { ApplicationFailure, Context } from '@temporalio/activity'
import { deliver, type Webhook } from '../core/automation/webhooks/index.js'
import { fail } from '../core/platform/errors/index.js'
import type { HttpClient } from '../core/platform/http/index.js'
import { failing } from './failure.js'
import type { WebhookActivities } from './types.js'

/** Deliveries of a worker at once: servers that do not answer take no more of its slots. */
const MAX_AT_ONCE = 20
const BUSY_DELAY = '5s'

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
  let underWay = 0
  return {
    deliverWebhook: async ({ id, webhook: name, event }) => {
      if (underWay >= MAX_AT_ONCE)
        throw ApplicationFailure.create({
          message: `${MAX_AT_ONCE} deliveries are under way at this worker`,
          nextRetryDelay: BUSY_DELAY,
        })
      underWay += 1
      const { cancellationSignal } = Context.current()
      const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(ANSWER_MS)])
      try {
        return await failing(async () => {
          const webhook = await find(name)
          if (!webhook) throw fail('notFound', `The webhook '${name}' is not deployed any more`)
          return deliver(http, webhook, { id, event, signal })
        })
      } finally {
        underWay -= 1
      }
    },
  }
}
