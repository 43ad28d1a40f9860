import { isArchivoltError, requireAtomic } from '../errors/index.js'
import type { CoreEvent, Listener, NotifyingSession } from './types.js'

/**
 * Calls one listener inside a savepoint of its own, so that its failure undoes what it wrote and nothing else.
 *
 * @returns the changes that it asks for.
 * @throws its failure when the listener says so (`isRollback`), or when it lost against another transaction.
 */
export const callListener = async <Changes>(
  session: NotifyingSession,
  listener: Listener<never, never, Changes>,
  event: CoreEvent,
): Promise<Changes | undefined> => {
  try {
    return await session.attempt((inner) =>
      listener.handle({ ...session, ...inner } as never, event as never),
    )
  } catch (error) {
    const isLostRace = isArchivoltError(error) && (error.retryable || error.code === 'conflict')
    if (listener.isRollback || isLostRace) throw error
    session.listeners.onFailure(error, listener, event)
    return undefined
  }
}

/** Notifies the listeners of an event that is about no document, and is in an outbox already. */
export const notifyWithoutDocument = async (session: NotifyingSession, event: CoreEvent): Promise<void> => {
  const listeners = session.listeners.of(event.event)
  if (listeners.length === 0) return
  requireAtomic(session)
  for (const listener of listeners)
    await callListener(session, listener, { ...event, document: null } as CoreEvent)
}
