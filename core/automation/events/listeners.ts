import {
  type DocumentListener,
  type DocumentListeners,
  type ListenedEvent,
  type Session,
  withoutListener,
} from '../../content/documents/index.js'
import { type EventValue, eventValue, matches } from './matches.js'
import { labelOf, type Subscription, type Subscriptions, subscriptionsRegistry } from './subscriptions.js'

/** What a subscription is notified of one event. */
export type Heard = { subscription: Subscription; event: EventValue; document: ListenedEvent['document'] }

/** Runs what a subscription names in the transaction of a session. @throws what its steps throw. */
export type RunSubscribed = (session: Session, heard: Heard) => Promise<void>

/** After the product's own listeners, which chains may rely on. */
const PRIORITY = 1_000

/** Events before a change, whose document is not there yet as it is described. */
const ANNOUNCING = /^(aboutTo|before|emptyDocument)/

/** The document as other listeners, and the change itself, have left it. */
const current = async (
  session: Session,
  { event, document }: ListenedEvent,
): Promise<ListenedEvent['document']> =>
  document === null || ANNOUNCING.test(event)
    ? document
    : ((await session.stores.documents.get(document.id)) ?? document)

const listenerOf = (subscription: Subscription, run: RunSubscribed): DocumentListener => {
  const name = labelOf(subscription)
  return {
    name,
    events: subscription.events,
    priority: PRIORITY + subscription.priority,
    handle: async (session, event) => {
      const about = { document: event.document, event: eventValue(session, event) }
      if (!(await matches(session, subscription, about))) return undefined
      const inner = { ...session, listeners: withoutListener(session.listeners, name) }
      await run(inner, { subscription, event: about.event, document: await current(session, event) })
      return undefined
    },
  }
}

/** The product's listeners with what a snapshot runs inside of transactions, in order of its priorities. */
export const withSubscriptions = (
  listeners: DocumentListeners,
  snapshot: { get(registry: typeof subscriptionsRegistry): Subscriptions },
  run: RunSubscribed,
): DocumentListeners => {
  const { inTransaction } = snapshot.get(subscriptionsRegistry)
  if (inTransaction.size === 0) return listeners
  const chains = new Map(
    [...inTransaction].map(([event, subscriptions]) => [
      event,
      [...listeners.of(event), ...subscriptions.map((subscription) => listenerOf(subscription, run))],
    ]),
  )
  return { ...listeners, of: (event) => chains.get(event) ?? listeners.of(event) }
}
