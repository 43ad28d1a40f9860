import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  documentEvent,
  requirePermission,
  type Session,
  withFacet,
  writeQuietly,
} from '../documents/index.js'
import { notificationNames } from './notifications-point.js'

const FACET = 'Notifiable'
const PROPERTY = 'notif:notifications'

type Subscription = { name: string; subscribers: string[] }

const textsOf = (value: PropertyValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

const subscriptionsOf = ({ properties }: DocumentRecord): Subscription[] => {
  const stored = properties[PROPERTY]
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry) && typeof entry.name === 'string'
      ? [{ name: entry.name, subscribers: textsOf(entry.subscribers) }]
      : [],
  )
}

/** A subscriber is written with its kind, as groups may subscribe too. */
const subscriber = ({ principal }: Session): string => `user:${principal.name}`

/** The notifications of a caller's list of names, each once: all that can be subscribed to when it is empty. */
const wantedNames = (session: Session, asked: readonly string[]): readonly string[] => {
  const { all, subscribable } = notificationNames(session.contributions)
  // However long the list is, no more than there are of them are looked for on the document.
  const names = [...new Set(asked)]
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw fail(
      'badRequest',
      `notifications: unknown notification '${unknown}'; expected one of ${all.join(', ')}`,
    )
  return names.length === 0 ? subscribable : names
}

const withSubscriber = (
  subscriptions: readonly Subscription[],
  names: readonly string[],
  who: string,
): Subscription[] => {
  const missing = names.filter((name) => !subscriptions.some((known) => known.name === name))
  return [...subscriptions, ...missing.map((name) => ({ name, subscribers: [] }))].map(
    ({ name, subscribers }) =>
      names.includes(name) && !subscribers.includes(who)
        ? { name, subscribers: [...subscribers, who] }
        : { name, subscribers },
  )
}

const withoutSubscriber = (
  subscriptions: readonly Subscription[],
  names: readonly string[] | undefined,
  who: string,
): Subscription[] =>
  subscriptions.map(({ name, subscribers }) => ({
    name,
    subscribers:
      names === undefined || names.includes(name) ? subscribers.filter((one) => one !== who) : subscribers,
  }))

/**
 * Writes the subscriptions of a document, as service data without a new version. Subscriptions to a proxy
 * are stored on its target.
 */
const change = async (
  session: Session,
  document: DocumentRecord,
  {
    event,
    names,
    next,
  }: {
    event: string
    names: readonly string[]
    next: (current: Subscription[]) => Subscription[]
  },
): Promise<DocumentRecord> => {
  const changed = await writeQuietly(
    session,
    document.proxyTargetId ?? document.id,
    (current) => {
      const before = subscriptionsOf(current)
      const after = next(before)
      if (JSON.stringify(after) === JSON.stringify(before)) return undefined
      return { properties: { [PROPERTY]: after }, facets: withFacet(session, current, FACET) }
    },
    (current) => [
      documentEvent(event, current, { subscriber: subscriber(session), notifications: [...names] }),
    ],
  )
  // The response shows the document that was sent: its target may be hidden from those who see the proxy.
  return document.isProxy ? ((await session.stores.documents.get(document.id)) ?? document) : changed
}

/**
 * Subscribes the session's principal to notifications about a document, to all of them when none is named.
 * Needs no more than `Read`; version and `dc:modified` stay.
 *
 * @throws badRequest naming a notification that does not exist, forbidden without `Read`.
 */
export const subscribe = async (
  session: Session,
  document: DocumentRecord,
  asked: readonly string[] = [],
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'Read')
  const names = wantedNames(session, asked)
  return change(session, document, {
    event: 'subscriptionAssigned',
    names,
    next: (current) => withSubscriber(current, names, subscriber(session)),
  })
}

/** Removes the principal's own subscriptions: those named, or all. */
export const unsubscribe = async (
  session: Session,
  document: DocumentRecord,
  asked: readonly string[] = [],
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'Read')
  const names = wantedNames(session, asked)
  return change(session, document, {
    event: 'subscriptionRemoved',
    names,
    next: (current) =>
      withoutSubscriber(current, asked.length === 0 ? undefined : names, subscriber(session)),
  })
}

/** Names of the notifications that the principal is subscribed to on a document, by name or through a group. */
export const subscribedNotifications = (session: Session, document: DocumentRecord): string[] => {
  const identities = [subscriber(session), ...session.principal.groups.map((group) => `group:${group}`)]
  return subscriptionsOf(document)
    .filter(({ subscribers }) => subscribers.some((one) => identities.includes(one)))
    .map(({ name }) => name)
}
