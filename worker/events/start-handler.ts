import type { Principal } from '../../core/access/security/index.js'
import { eventValue, matches, type NamedHandler } from '../../core/automation/events/index.js'
import { documentValue, VOID } from '../../core/automation/language/index.js'
import type { RunOrder } from '../../core/automation/planning/index.js'
import { eventRunId } from '../../core/automation/runs/index.js'
import { keepReadable } from '../../core/content/documents/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { startChain, type temporalOn } from '../../engine/index.js'
import type { AutomationRuntime, Platform } from '../../runtime/index.js'
import type { RelayedEvent } from '../../storage/postgres/index.js'
import type { WorkerMetrics } from '../metrics.js'

/** The dependencies of starting the handlers of one repository. */
export type HandlerPlace = {
  temporal: ReturnType<typeof temporalOn>
  platform: Platform
  runtime: AutomationRuntime
  /** Undefined for the default repository. */
  repository: string | undefined
  metrics: Pick<WorkerMetrics, 'stopEventChain'> | undefined
}

/** Stops chains of runs that start one another by events without end. */
const stopChain = (
  { platform, metrics }: HandlerPlace,
  { event, documentId, depth }: RelayedEvent,
  { name, chain }: NamedHandler,
): void => {
  metrics?.stopEventChain(name)
  const about = { handler: name, chain, event, documentId, depth }
  platform.logger.error(
    about,
    `the event handler ${name} is not started: ${depth} runs have started one another by events that lead to this one. ` +
      'Give it a condition that ends this, or set ARCHIVOLT_EVENT_DEPTH',
  )
}

/** The call of a handler's chain: its user and its document. */
type Subject = {
  principal: Principal
  document: DocumentRecord | null
  value: ReturnType<typeof eventValue>
}

/** @returns undefined where the handler's conditions do not hold, and for an event of an unknown user. */
const subjectOf = async (
  { platform }: HandlerPlace,
  event: RelayedEvent,
  handler: NamedHandler,
): Promise<Subject | undefined> => {
  const principal = await platform.authenticator.principal(event.principal)
  if (!principal) return undefined
  const session = { ...platform.readSession(principal), now: event.createdAt }
  const found = event.documentId === null ? undefined : await session.stores.documents.get(event.documentId)
  const [document = null] = await keepReadable(session, found ? [found] : [])
  const value = eventValue(session, event)
  const isMatching = await matches(session, handler, { document, event: value })
  return isMatching ? { principal, document, value } : undefined
}

/** @throws notFound for a chain that is not deployed. */
const orderOf = (
  { runtime }: HandlerPlace,
  { chain }: NamedHandler,
  { principal, document, value, requestId }: Subject & { requestId: string },
): RunOrder => {
  const registry = runtime.chains.latest()
  const callable = registry.get(chain)
  if (callable.kind !== 'chain') throw fail('notFound', `No chain '${chain}' is deployed`)
  const request = {
    input: document ? documentValue(document) : VOID,
    params: {},
    variables: { Event: { type: 'json' as const, value } },
  }
  return { chain: callable.chain, registry, request, principal, requestId }
}

/** Starts a handler's chain for an event: once, however often it is called. */
export const startHandler = async (
  place: HandlerPlace,
  event: RelayedEvent,
  handler: NamedHandler,
): Promise<void> => {
  const { temporal, platform, repository } = place
  const subject = await subjectOf(place, event, handler)
  if (!subject) return
  if (event.depth >= platform.settings.eventDepth) return stopChain(place, event, handler)
  const workflowId = eventRunId({ repository, id: event.id }, handler.name)
  await startChain(
    { ...temporal, units: platform.units },
    {
      workflowId,
      order: orderOf(place, handler, { ...subject, requestId: workflowId }),
      repository,
      eventDepth: event.depth + 1,
      summary: `${event.event}: ${handler.name}`,
    },
  )
}
