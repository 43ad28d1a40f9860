import type { Principal } from '../../core/access/security/index.js'
import {
  type EventValue,
  eventValue,
  labelOf,
  matches,
  type Subscription,
  subscribedChain,
  subscribedPlan,
} from '../../core/automation/events/index.js'
import { documentsValue, documentValue, type Value, VOID } from '../../core/automation/language/index.js'
import type { RunOrder } from '../../core/automation/planning/index.js'
import { eventRunId } from '../../core/automation/runs/index.js'
import { keepReadable } from '../../core/content/documents/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { type ChainToStart, startChain, type temporalOn } from '../../engine/index.js'
import type { AutomationRuntime, Platform } from '../../runtime/index.js'
import { type Database, eventsOfTransaction } from '../../storage/postgres/index.js'

/** The dependencies of starting the handlers of one repository. */
export type HandlerPlace = {
  temporal: ReturnType<typeof temporalOn>
  platform: Platform
  runtime: Pick<AutomationRuntime, 'chains'>
  /** That of the repository. */
  database: Database
  /** Undefined for the default repository. */
  repository: string | undefined
  /** Looks up who has caused an event. */
  principal(name: string): Promise<Principal | undefined>
  /** Looks a document up by its id; absent: in the repository, one by one. */
  document?(id: string): Promise<DocumentRecord | undefined>
  metrics?: { stopEventChain(handler: string): void } | undefined
}

/** Stops chains of runs that start one another by events without end. */
const stopChain = (
  { platform, metrics }: HandlerPlace,
  { event, documentId, depth }: RelayedEvent,
  subscription: Subscription,
): void => {
  const { name, work } = subscription
  metrics?.stopEventChain(name)
  const chain = work.kind === 'long' ? work.work : work.id
  const about = { handler: name, chain, event, documentId, depth }
  platform.logger.error(
    about,
    `the event handler ${name} is not started: ${depth} runs have started one another by events that lead to this one. ` +
      'Give it a condition that ends this, or set ARCHIVOLT_EVENT_DEPTH',
  )
}

/** What a run receives: who has caused it, and each event that its filters let through. */
type Subject = {
  principal: Principal
  heard: readonly { document: DocumentRecord | null; value: EventValue }[]
}

/** @returns undefined where the filters hold for none of the events, and for events of an unknown user. */
const subjectOf = async (
  { platform, principal: find, document: read }: HandlerPlace,
  [first, ...more]: readonly [RelayedEvent, ...RelayedEvent[]],
  subscription: Subscription,
): Promise<Subject | undefined> => {
  const principal = await find(first.principal)
  if (!principal) return undefined
  const session = { ...platform.readSession(principal), now: first.createdAt }
  const documentOf = read ?? session.stores.documents.get
  const heard: Subject['heard'][number][] = []
  for (const event of [first, ...more]) {
    const found = event.documentId === null ? undefined : await documentOf(event.documentId)
    const [document = null] = await keepReadable(session, found ? [found] : [])
    const value = eventValue(session, event)
    if (await matches(session, subscription, { document, event: value })) heard.push({ document, value })
  }
  return heard.length > 0 ? { principal, heard } : undefined
}

const inputOf = ({ heard }: Subject, { isBulk }: Subscription): Value => {
  const documents = [...new Map(heard.flatMap(({ document }) => (document ? [[document.id, document]] : [])))]
  const [first] = documents
  if (!first) return VOID
  return isBulk ? documentsValue(documents.map(([, document]) => document)) : documentValue(first[1])
}

/** As it travels in a plan: by id. */
const bare = (input: Value): Value => {
  if (input.type === 'document') return { type: 'document', id: input.id }
  return input.type === 'documents' ? { type: 'documents', ids: input.ids } : input
}

/** @throws notFound for what is not deployed. */
const orderOf = (
  { runtime }: HandlerPlace,
  subscription: Subscription,
  { subject, requestId }: { subject: Subject; requestId: string },
): RunOrder => {
  const registry = runtime.chains.latest()
  const input = inputOf(subject, subscription)
  const events = subject.heard.map(({ value }) => value)
  return {
    chain: subscribedChain(subscription, registry),
    registry,
    request: {
      input,
      params: subscription.work.kind === 'chain' ? subscription.params : {},
      variables: {
        Event: { type: 'json' as const, value: events[0] ?? null },
        ...(subscription.isBulk && { Events: { type: 'json' as const, value: events } }),
      },
    },
    principal: subject.principal,
    requestId,
    arrange: (plan) => subscribedPlan(subscription, { plan, input: bare(input) }),
  }
}

/** The events of one run: of a transaction all that its user has caused, where it takes them together. */
const eventsFor = async (
  { database }: HandlerPlace,
  event: RelayedEvent,
  { isBulk, events }: Subscription,
): Promise<readonly [RelayedEvent, ...RelayedEvent[]]> => {
  if (!isBulk) return [event]
  const all = await eventsOfTransaction(database.sql, event.transaction)
  const own = all.filter((each) => each.principal === event.principal && events.includes(each.event))
  const [first = event, ...more] = own
  return [first, ...more]
}

/** What an event starts for a handler or a listener; undefined where nothing is to be done. */
export const startOf = async (
  place: HandlerPlace,
  event: RelayedEvent,
  subscription: Subscription,
): Promise<ChainToStart | undefined> => {
  const { platform, repository } = place
  const events = await eventsFor(place, event, subscription)
  const subject = await subjectOf(place, events, subscription)
  if (!subject) return undefined
  if (event.depth >= platform.settings.eventDepth) {
    stopChain(place, event, subscription)
    return undefined
  }
  const workflowId = eventRunId({ repository, id: events[0].id }, subscription)
  return {
    workflowId,
    order: orderOf(place, subscription, { subject, requestId: workflowId }),
    repository,
    eventDepth: event.depth + 1,
    event: event.event,
    summary: `${event.event}: ${subscription.point === 'listeners' ? labelOf(subscription) : subscription.name}`,
  }
}

/**
 * Starts a handler or a listener for an event: once, however often it is called.
 *
 * @returns the id of the run; undefined where nothing is to be done.
 */
export const startHandler = async (
  place: HandlerPlace,
  event: RelayedEvent,
  subscription: Subscription,
): Promise<string | undefined> => {
  const start = await startOf(place, event, subscription)
  if (!start) return undefined
  await startChain({ ...place.temporal, units: place.platform.units }, start)
  return start.workflowId
}
