import type { NativeConnection } from '@temporalio/worker'
import { SYSTEM } from '../../core/access/security/index.js'
import { type Subscription, subscriptionsRegistry } from '../../core/automation/events/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import { createTurns } from '../../core/platform/limits/index.js'
import { type ChainToStart, startChain, startEventPage, temporalOn } from '../../engine/index.js'
import type { AutomationRuntime, Platform } from '../../runtime/index.js'
import { createOutboxRelay } from '../../storage/postgres/index.js'
import { documentsOf, READ_TOGETHER } from './documents-of.js'
import { followOutbox } from './follow-outbox.js'
import { type Follow, followRepositories } from './follow-repositories.js'
import { createHandlerSnapshots, type HandlerSnapshot } from './handler-snapshot.js'
import { placeOn } from './place.js'
import { type HandlerPlace, startOf } from './start-handler.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'event-handlers'

/** Milliseconds after which a page ends early: far from the time after which its transaction counts as dead. */
const PAGE_MS = 3_000

/** Workflows that are started side by side. */
const SIDE_BY_SIDE = 16

/**
 * Milliseconds between two looks at the outbox. Looking more often makes smaller pages, each of which is a workflow. Nobody
 * is woken by those who write: commits that notify wait for each other, which costs writers more than a look costs.
 */
const LOOK_MS = 400

/** Milliseconds to wait after a failure. */
const FAILED_MS = 5_000

type Relay = HandlerPlace & { snapshot: () => Promise<HandlerSnapshot> }

type Found = { event: RelayedEvent; subscription: Subscription; start: ChainToStart }

/** A handler's own fault is logged; a transient error is the relay's. */
const orLogged = async <Result>(
  { platform }: Relay,
  about: { handler: string; event: string; documentId: string | null },
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (!isArchivoltError(error) || error.retryable) throw error
    platform.logger.error({ err: error, ...about }, 'an event handler failed')
    return undefined
  }
}

/** By handler, and by what it was planned from. */
const groupsOf = (found: readonly Found[]): Found[][] => {
  const groups = new Map<Subscription, Map<string, Found>>()
  for (const each of found) {
    const group = groups.get(each.subscription) ?? new Map<string, Found>()
    groups.set(each.subscription, group.set(each.start.workflowId, each))
  }
  return [...groups.values()].flatMap((group) => {
    const all = [...group.values()]
    const { registry, chain } = all[0]!.start.order
    const isSame = ({ start: { order } }: Found) => order.registry === registry && order.chain.id === chain.id
    return [all.filter(isSame), ...all.filter((each) => !isSame(each)).map((each) => [each])]
  })
}

/**
 * Starts what was found of one handler: together, where that is short, else each by itself. What callers wait for is
 * the run that they wait for.
 */
const startGroup = async (relay: Relay, group: readonly Found[]): Promise<void> => {
  const temporal = { ...relay.temporal, units: relay.platform.units }
  const [first] = group
  if (!first) return
  const about = {
    handler: first.subscription.name,
    event: first.event.event,
    documentId: first.event.documentId,
  }
  const starts = group.map(({ start }) => start)
  const isTogether = starts.length > 1 && !first.subscription.isAwaited
  const apart = isTogether ? await orLogged(relay, about, () => startEventPage(temporal, starts)) : starts
  for (let index = 0; apart && index < apart.length; index += SIDE_BY_SIDE)
    await Promise.all(
      apart
        .slice(index, index + SIDE_BY_SIDE)
        .map((start) => orLogged(relay, about, () => startChain(temporal, start))),
    )
}

/** Looks each user up once for a page. */
const lookingUpOnce = (relay: Relay): Relay => {
  const found = new Map<string, ReturnType<Relay['principal']>>()
  const principal: Relay['principal'] = (name) => {
    const known = found.get(name) ?? relay.principal(name)
    found.set(name, known)
    return known
  }
  return { ...relay, principal }
}

/** Large documents that are read at the same time. */
const LARGE_AT_ONCE = 2

/** Finds the documents of some events among those that were read together; others, large ones among them, one by one. */
const documentFinder = async (
  { platform }: Relay,
  events: readonly RelayedEvent[],
): Promise<NonNullable<Relay['document']>> => {
  const found = await documentsOf(platform, events)
  const { documents } = platform.readSession(SYSTEM).stores
  const turns = createTurns(LARGE_AT_ONCE)
  return async (id) => found.get(id) ?? turns(() => documents.get(id))
}

/**
 * Starts the handlers of some events, as many as its time allows. A handler's own fault is logged; a transient error is
 * retried.
 *
 * @returns of how many events.
 */
const startHandlers = async (place: Relay, events: readonly RelayedEvent[]): Promise<number> => {
  const shared = lookingUpOnce(place)
  const endsAt = performance.now() + PAGE_MS
  const { postCommit, from } = await shared.snapshot()
  const found: Found[] = []
  const subscriptionsTo = ({ event, mark }: RelayedEvent): Subscription[] =>
    (postCommit.get(event) ?? []).filter((subscription) => mark > from(subscription))
  const isHeard = (event: RelayedEvent): boolean => subscriptionsTo(event).length > 0
  const look = async (relay: Relay, event: RelayedEvent): Promise<void> => {
    for (const subscription of subscriptionsTo(event)) {
      const about = { handler: subscription.name, event: event.event, documentId: event.documentId }
      const start = await orLogged(relay, about, () => startOf(relay, event, subscription))
      if (start) found.push({ event, subscription, start })
    }
  }
  let done = 0
  for (; done < events.length && (done === 0 || performance.now() < endsAt); done += READ_TOGETHER) {
    const some = events.slice(done, done + READ_TOGETHER)
    const document = await documentFinder(shared, some.filter(isHeard))
    await Promise.all(some.map((event) => look({ ...shared, document }, event)))
  }
  found.sort((a, b) => a.event.id - b.event.id)
  await Promise.all(groupsOf(found).map((group) => startGroup(shared, group)))
  return Math.min(done, events.length)
}

const relayFrom = (relay: Relay): Follow =>
  followOutbox(createOutboxRelay(relay.database, CURSOR), {
    isWanted: () => relay.platform.snapshot().get(subscriptionsRegistry).postCommit.size > 0,
    isUnwanted: async () => (await relay.snapshot()).postCommit.size === 0,
    look: (events) => startHandlers(relay, events),
    lookMs: LOOK_MS,
  })

/**
 * Starts the chains of handlers that wait for the commit (`postCommit`), for the events of every repository: what one handler
 * does for events that were read together is one workflow. One worker does so at a time; chains that a stopped worker had
 * started are not started again.
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
    { failure: 'events could not be relayed; will retry', failedMs: FAILED_MS },
  )
}
