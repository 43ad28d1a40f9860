import type { NativeConnection } from '@temporalio/worker'
import { subscriptionsRegistry } from '../../core/automation/events/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import { temporalOn } from '../../engine/index.js'
import type { AutomationRuntime, Platform } from '../../runtime/index.js'
import { createOutboxRelay, type RelayedEvent } from '../../storage/postgres/index.js'
import { type Follow, followRepositories } from './follow-repositories.js'
import { createHandlerSnapshots, type HandlerSnapshot } from './handler-snapshot.js'
import { placeOn } from './place.js'
import { type HandlerPlace, startHandler } from './start-handler.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'event-handlers'

/** Events of one transaction, in which their runs are started. */
const PAGE = 100

/** Milliseconds after which a page ends early: far from the time after which its transaction counts as dead. */
const PAGE_MS = 3_000

/** Events whose runs are started side by side: each start waits for Temporal, not for the processor. */
const SIDE_BY_SIDE = 16

/** Poll intervals in milliseconds: the usual one, and the one without subscribers. */
const LOOK_MS = 500
const IDLE_MS = 5_000

type Relay = HandlerPlace & { snapshot: () => Promise<HandlerSnapshot> }

/**
 * Starts the handlers of some events, as many as its time allows. A handler's own fault is logged; a transient error is
 * retried.
 *
 * @returns of how many events.
 */
const startHandlers = async (relay: Relay, events: readonly RelayedEvent[]): Promise<number> => {
  const endsAt = performance.now() + PAGE_MS
  const { postCommit, from } = await relay.snapshot()
  const startAll = async (event: RelayedEvent): Promise<void> => {
    for (const handler of postCommit.get(event.event) ?? []) {
      if (event.mark <= from(handler)) continue
      try {
        await startHandler(relay, event, handler)
      } catch (error) {
        if (!isArchivoltError(error) || error.retryable) throw error
        const about = { handler: handler.name, event: event.event, documentId: event.documentId }
        relay.platform.logger.error({ err: error, ...about }, 'an event handler failed')
      }
    }
  }
  for (let index = 0; index < events.length; index += SIDE_BY_SIDE) {
    if (index > 0 && performance.now() > endsAt) return index
    await Promise.all(events.slice(index, index + SIDE_BY_SIDE).map(startAll))
  }
  return events.length
}

const relayFrom = (relay: Relay): Follow => {
  const outbox = createOutboxRelay(relay.database, CURSOR)
  return async () => {
    const hasSubscribers = relay.platform.snapshot().get(subscriptionsRegistry).postCommit.size > 0
    if (!hasSubscribers) await outbox.skip(async () => (await relay.snapshot()).postCommit.size === 0)
    const count = hasSubscribers ? await outbox.next(PAGE, (events) => startHandlers(relay, events)) : 0
    if (count === PAGE) return 0
    return hasSubscribers ? LOOK_MS : IDLE_MS
  }
}

/**
 * Starts the chains of handlers that wait for the commit (`postCommit`), for the events of every repository, some side by side.
 * One worker does so at a time; chains that a stopped worker had started are not started again.
 *
 * @returns a function that stops it.
 */
export const startEventRelay = ({
  connection,
  platform,
  runtime,
  metrics,
}: {
  connection: NativeConnection
  platform: Platform
  runtime: AutomationRuntime
  metrics?: Relay['metrics']
}): (() => Promise<void>) => {
  const temporal = temporalOn(connection, platform)
  const snapshot = createHandlerSnapshots(platform.deployed)
  return followRepositories(
    platform,
    (own) => relayFrom({ ...placeOn({ temporal, platform, runtime, metrics }, own.repository), snapshot }),
    { failure: 'events could not be relayed; will retry', failedMs: IDLE_MS },
  )
}
