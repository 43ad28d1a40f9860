import type {
  DocumentListener,
  DocumentListeners,
  ListenedEvent,
  Session,
} from '../../content/documents/index.js'
import { type EventHandlers, eventHandlersRegistry, type NamedHandler } from './event-handlers-point.js'
import { type EventValue, eventValue, matches } from './matches.js'

/** Runs a chain in the transaction of a session. @throws what its steps throw. */
export type RunEventChain = (
  session: Session,
  run: { chain: string; event: EventValue; document: ListenedEvent['document'] },
) => Promise<void>

/** After the product's own listeners, which chains may rely on. */
const PRIORITY = 1_000

/** A chain does not handle the events of what it does itself: it would go round for ever. */
const without = (listeners: DocumentListeners, name: string): DocumentListeners => ({
  ...listeners,
  of: (event) => listeners.of(event).filter((listener) => listener.name !== name),
})

const listenerOf = (handler: NamedHandler, runChain: RunEventChain): DocumentListener => {
  const name = `eventHandlers/${handler.name}`
  return {
    name,
    events: handler.events,
    priority: PRIORITY,
    handle: async (session, event) => {
      const about = { document: event.document, event: eventValue(session, event) }
      if (!(await matches(session, handler, about))) return undefined
      const inner = { ...session, listeners: without(session.listeners, name) }
      await runChain(inner, { chain: handler.chain, ...about })
      return undefined
    },
  }
}

/** The product's listeners with the chains that a snapshot starts inside of transactions. */
export const withEventHandlers = (
  listeners: DocumentListeners,
  snapshot: { get(registry: typeof eventHandlersRegistry): EventHandlers },
  runChain: RunEventChain,
): DocumentListeners => {
  const { inTransaction } = snapshot.get(eventHandlersRegistry)
  if (inTransaction.size === 0) return listeners
  const chains = new Map(
    [...inTransaction].map(([event, handlers]) => [
      event,
      [...listeners.of(event), ...handlers.map((handler) => listenerOf(handler, runChain))],
    ]),
  )
  return { ...listeners, of: (event) => chains.get(event) ?? listeners.of(event) }
}
