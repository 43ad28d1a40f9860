import { SYSTEM } from '../../core/access/security/index.js'
import { subscribedSince } from '../../core/automation/events/index.js'
import {
  cloudEventOf,
  deliveryId,
  isWanted,
  type Webhook,
  webhooksPoint,
  webhooksRegistry,
} from '../../core/automation/webhooks/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import { startDelivery, type temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { createOutboxRelay, type Database } from '../../storage/postgres/index.js'
import { followOutbox } from './follow-outbox.js'
import { type Follow, followRepositories } from './follow-repositories.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'webhooks'

/** Milliseconds after which a page ends early: far from the time after which its transaction counts as dead. */
const PAGE_MS = 3_000

/** Events that are delivered side by side: each look waits for the database, each start for Temporal. */
const SIDE_BY_SIDE = 16

/** Milliseconds between two looks at the outbox. */
const LOOK_MS = 250

/** Milliseconds to wait after a failure. */
const FAILED_MS = 5_000

type Place = { temporal: ReturnType<typeof temporalOn>; platform: Platform; database: Database }

/** The webhooks as deployed at this moment, each with the mark after which it is notified of events. */
const current = async ({
  platform: {
    deployed: { feed, snapshots, store },
  },
}: Place): Promise<readonly { webhook: Webhook; from: string }[]> => {
  const webhooks = snapshots.of(await feed.current()).get(webhooksRegistry)
  const configured = snapshots.configured.get(webhooksRegistry)
  return Promise.all(
    [...webhooks.values()].map(async (webhook) => ({
      webhook,
      from: subscribedSince(await store.versions(webhooksPoint.point, webhook.name), {
        handler: { events: webhook.events, postCommit: true },
        configured: configured.has(webhook.name) ? { events: webhook.events, postCommit: true } : undefined,
      }),
    })),
  )
}

const deliver = async (
  { temporal, platform }: Place,
  event: RelayedEvent,
  webhook: Webhook,
): Promise<void> => {
  const { repository, settings } = platform
  try {
    if (!(await isWanted(platform.readSession(SYSTEM), webhook, event))) return
  } catch (error) {
    if (!isArchivoltError(error) || error.retryable) throw error
    const about = { webhook: webhook.name, event: event.event, documentId: event.documentId }
    platform.logger.error({ err: error, ...about }, 'the condition of a webhook failed')
    return
  }
  const other = [...platform.repositories.keys()][0] === repository ? undefined : repository
  const id = deliveryId({ repository: other, id: event.id }, webhook.name)
  const base = settings.http.publicUrl
  await startDelivery(temporal, {
    id,
    webhook: webhook.name,
    event: cloudEventOf(event, { repository, base }),
    requestId: id,
  })
}

/** @returns of how many events the deliveries have begun: as many as its time allows. */
const deliverPage = async (place: Place, events: readonly RelayedEvent[]): Promise<number> => {
  const endsAt = performance.now() + PAGE_MS
  const webhooks = await current(place)
  const deliverToAll = async (event: RelayedEvent): Promise<void> => {
    for (const { webhook, from } of webhooks) if (event.mark > from) await deliver(place, event, webhook)
  }
  for (let index = 0; index < events.length; index += SIDE_BY_SIDE) {
    if (index > 0 && performance.now() > endsAt) return index
    await Promise.all(events.slice(index, index + SIDE_BY_SIDE).map(deliverToAll))
  }
  return events.length
}

const relayFrom = (place: Place): Follow =>
  followOutbox(createOutboxRelay(place.database, CURSOR), {
    isWanted: () => place.platform.snapshot().get(webhooksRegistry).size > 0,
    isUnwanted: async () => (await current(place)).length === 0,
    look: (events) => deliverPage(place, events),
    lookMs: LOOK_MS,
  })

/**
 * Starts a delivery for each event of every repository and each webhook that is to be notified of it: once, whatever dies in
 * between, some side by side. One worker does so at a time.
 *
 * @returns a function that stops it.
 */
export const startWebhookRelay = (
  platform: Platform,
  temporal: ReturnType<typeof temporalOn>,
): (() => Promise<void>) =>
  followRepositories(platform, (own, database) => relayFrom({ temporal, platform: own, database }), {
    failure: 'events could not be passed to webhooks; will retry',
    failedMs: FAILED_MS,
  })
