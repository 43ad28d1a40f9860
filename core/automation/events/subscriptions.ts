import type { PropertyValue } from '../../model/properties/index.js'
import { type Contributions, defineRegistry } from '../../platform/contributions/index.js'
import { eventHandlersPoint } from './event-handlers-point.js'
import type { EventFilters } from './filters.js'
import { type Listener, listenersPoint } from './listeners-point.js'

/** What runs: a chain, an operation (scripted or the product's own), or the three steps of a long-running listener. */
export type Work =
  | { kind: 'chain' | 'operation'; id: string }
  | { kind: 'long'; before?: string; work: string; after?: string }

/** An event handler, or a listener. */
export type Subscription = EventFilters & {
  point: string
  name: string
  events: readonly string[]
  postCommit: boolean
  work: Work
  params: { [name: string]: PropertyValue }
  priority: number
  /** Callers wait for what it does after their commit. */
  isAwaited: boolean
  /** One run has all events of a transaction. */
  isBulk: boolean
  /** How often what fails after the commit is tried again. */
  retries: number
  /** How long a transaction after the commit may last. */
  seconds?: number
}

/** By event, in order of priority. */
type ByEvent = ReadonlyMap<string, readonly Subscription[]>

export type Subscriptions = {
  inTransaction: ByEvent
  postCommit: ByEvent
  /** Callers wait for some of those after the commit. */
  hasAwaited: boolean
}

const workOf = ({ chain, script, operation, before, work, after }: Listener): Work => {
  if (work !== undefined)
    return {
      kind: 'long',
      ...(before !== undefined && { before }),
      work,
      ...(after !== undefined && { after }),
    }
  if (chain !== undefined) return { kind: 'chain', id: chain }
  // The point's check lets no listener pass without one of them.
  return { kind: 'operation', id: script ?? operation ?? '' }
}

const ofHandlers = (contributions: Contributions): Subscription[] =>
  [...contributions.get(eventHandlersPoint)].flatMap(([name, { enabled, chain, ...handler }]) =>
    enabled
      ? [
          {
            ...handler,
            point: eventHandlersPoint.point,
            name,
            work: { kind: 'chain' as const, id: chain },
            params: {},
            ...{ priority: 0, isAwaited: false, isBulk: false, retries: 0 },
          },
        ]
      : [],
  )

const ofListeners = (contributions: Contributions): Subscription[] =>
  [...contributions.get(listenersPoint)].flatMap(([name, listener]) => {
    const { enabled, async: isAsync, retryCount, transactionTimeOut, bulk, params } = listener
    if (!enabled) return []
    const postCommit = listener.postCommit || isAsync
    const subscription: Subscription = {
      ...listener,
      point: listenersPoint.point,
      name,
      postCommit,
      work: workOf(listener),
      // JSON, as the point's schema says.
      params: params as Subscription['params'],
      isAwaited: postCommit && !isAsync,
      isBulk: bulk,
      retries: retryCount,
      ...(transactionTimeOut > 0 && { seconds: transactionTimeOut }),
    }
    return [subscription]
  })

const byEvent = (subscriptions: readonly Subscription[]): ByEvent => {
  const found = new Map<string, Subscription[]>()
  for (const subscription of subscriptions)
    for (const event of new Set(subscription.events))
      found.set(event, [...(found.get(event) ?? []), subscription])
  return found
}

/** Names a handler or a listener among all of them. */
export const labelOf = ({ point, name }: Pick<Subscription, 'point' | 'name'>): string => `${point}/${name}`

/** The event handlers and listeners that are in force. */
export const subscriptionsRegistry = defineRegistry<Subscriptions>({
  name: 'event handlers and listeners',
  build: (contributions) => {
    const all = [...ofHandlers(contributions), ...ofListeners(contributions)].sort(
      (a, b) => a.priority - b.priority,
    )
    return {
      inTransaction: byEvent(all.filter(({ postCommit }) => !postCommit)),
      postCommit: byEvent(all.filter(({ postCommit }) => postCommit)),
      hasAwaited: all.some(({ isAwaited }) => isAwaited),
    }
  },
})
