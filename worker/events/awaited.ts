import { setTimeout as pause } from 'node:timers/promises'
import type { Subscription } from '../../core/automation/events/index.js'
import { labelOf } from '../../core/automation/events/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { temporalOn } from '../../engine/index.js'
import type { AutomationRuntime, Platform } from '../../runtime/index.js'
import { eventsOfTransaction } from '../../storage/postgres/index.js'
import { createHandlerSnapshots } from './handler-snapshot.js'
import { placeOn } from './place.js'
import { type HandlerPlace, startHandler } from './start-handler.js'

/** Callers wait for one listener this long, milliseconds; it goes on without them. */
const LONGEST_MS = 60_000

const runAwaited = async (
  place: HandlerPlace,
  event: RelayedEvent,
  subscription: Subscription,
): Promise<void> => {
  const waiting = new AbortController()
  const work = async (): Promise<void> => {
    const workflowId = await startHandler(place, event, subscription)
    if (workflowId) await place.temporal.client.workflow.getHandle(workflowId).result()
  }
  try {
    await Promise.race([work(), pause(LONGEST_MS, undefined, { signal: waiting.signal, ref: false })])
  } catch (error) {
    const about = { listener: labelOf(subscription), event: event.event, documentId: event.documentId }
    place.platform.logger.error({ err: error, ...about }, 'a listener failed after the commit')
  } finally {
    waiting.abort()
  }
}

/**
 * Runs the listeners of a transaction that its caller waits for, one after another. They are the runs that the relay
 * starts, whichever of both comes first: a process that dies meanwhile loses none.
 */
export const createAwaitedListeners = ({
  temporal,
  platform,
  runtime,
}: {
  temporal: ReturnType<typeof temporalOn>
  platform: Platform
  runtime: Pick<AutomationRuntime, 'chains'>
}): ((repository: string, transaction: number) => Promise<void>) => {
  const snapshot = createHandlerSnapshots(platform.deployed)
  return async (repository, transaction) => {
    const place = placeOn({ temporal, platform, runtime }, repository)
    const { postCommit, from } = await snapshot()
    const events = await eventsOfTransaction(place.database.sql, transaction)
    for (const event of events)
      for (const subscription of postCommit.get(event.event) ?? [])
        if (subscription.isAwaited && event.mark > from(subscription))
          await runAwaited(place, event, subscription)
  }
}
