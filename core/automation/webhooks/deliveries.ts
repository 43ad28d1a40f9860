import type { RunStatus } from '../runs/index.js'

/** What has become of a delivery. */
export type DeliveryReport = {
  id: string
  webhook: string
  /** `FAILED`: it was given up, and waits to be delivered again by an operator. */
  state: RunStatus
  event: string
  documentId?: string
  startedAt: Date
  closedAt?: Date
  /** Why it was given up; of one that runs, why its last attempt has failed. */
  failure?: string
  /** Of one that runs: attempts that have begun, from 1, and when the next one begins. */
  attempts?: number
  nextAttemptAt?: Date
}

export type DeliveriesFilter = {
  webhook?: string | undefined
  state?: RunStatus | undefined
  event?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export type WebhookDeliveries = {
  /** Those that began last first, each by its newest attempt. */
  list(filter: DeliveriesFilter, limit: number): Promise<DeliveryReport[]>
  /**
   * Delivers again what has ended, under its id.
   *
   * @throws notFound for what is no delivery, or is not kept any more; conflict for one that is under way.
   */
  redeliver(id: string): Promise<void>
}

/** Prefix of the ids of deliveries. */
const PREFIX = 'webhook-'

/** The id of a delivery: an event is delivered to a webhook once, however often it is read. */
export const deliveryId = (
  { repository, id }: { repository: string | undefined; id: number },
  webhook: string,
): string => `${PREFIX}${repository === undefined ? '' : `${repository}-`}${id}-${webhook}`
