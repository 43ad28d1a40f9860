import { setTimeout as pause } from 'node:timers/promises'
import { Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import {
  eventHandlersRegistry,
  eventValue,
  matches,
  type NamedHandler,
} from '../core/automation/events/index.js'
import { documentValue, planRun, VOID } from '../core/automation/execution/index.js'
import { keepReadable } from '../core/content/documents/index.js'
import { fail, isArchivoltError } from '../core/platform/errors/index.js'
import type { AutomationRuntime, Platform } from '../runtime/index.js'
import { createOutboxRelay, type Database, type RelayedEvent } from '../storage/postgres/index.js'
import { createHearing, type Hearing } from './hearing.js'
import type { WorkerMetrics } from './metrics.js'
import { runAttributes } from './search-attributes.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'event-handlers'

/** Events of one transaction, in which their runs are started. */
const PAGE = 100

/** Milliseconds between two looks, and while nobody waits for events. */
const LOOK_MS = 500
const IDLE_MS = 5_000

type Relay = {
  client: Client
  taskQueue: string
  platform: Platform
  runtime: AutomationRuntime
  /** Undefined for the default repository. */
  repository: string | undefined
  hearing: () => Promise<Hearing>
  metrics: Pick<WorkerMetrics, 'stopEventChain'> | undefined
}

/** Temporal takes an id once, so that an event starts a handler's chain once, whatever is done again. */
const runId = ({ repository }: Relay, event: RelayedEvent, { name }: NamedHandler): string =>
  `event-${repository === undefined ? '' : `${repository}-`}${event.id}-${name}`

/** A chain that changes what its own handler waits for would go round for ever, more often with each round. */
const stopChain = (
  { platform, metrics }: Relay,
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

const startChain = async (relay: Relay, event: RelayedEvent, handler: NamedHandler): Promise<void> => {
  const { platform, runtime, repository } = relay
  const principal = await platform.authenticator.principal(event.principal)
  if (!principal) return
  const session = { ...platform.readSession(principal), now: event.createdAt }
  const found = event.documentId === null ? undefined : await session.stores.documents.get(event.documentId)
  const [document = null] = await keepReadable(session, found ? [found] : [])
  const about = { document, event: eventValue(session, event) }
  if (!(await matches(session, handler, about))) return
  if (event.depth >= platform.settings.eventDepth) return stopChain(relay, event, handler)
  const workflowId = runId(relay, event, handler)
  const registry = runtime.chains.latest()
  const callable = registry.get(handler.chain)
  if (callable.kind !== 'chain') throw fail('notFound', `No chain '${handler.chain}' is deployed`)
  const request = {
    input: document ? documentValue(document) : VOID,
    params: {},
    variables: { Event: { type: 'json' as const, value: about.event } },
  }
  const run = await planRun(
    { chain: callable.chain, registry, request, principal, requestId: workflowId },
    { units: platform.units, repository, eventDepth: event.depth + 1 },
  )
  try {
    await relay.client.workflow.start('chain', {
      taskQueue: relay.taskQueue,
      workflowId,
      args: [run],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      typedSearchAttributes: runAttributes({
        chainId: run.plan.chainId,
        principal: run.principal,
        requestId: workflowId,
        documentId: document?.id,
      }),
      memo: { principal: principal.name, requestId: workflowId },
      staticSummary: `${event.event}: ${handler.name}`.slice(0, 120),
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

/** Starts what waits for some events. What a handler is at fault for is logged; what may pass is done again. */
const startChains = async (relay: Relay, events: readonly RelayedEvent[]): Promise<void> => {
  const { postCommit, from } = await relay.hearing()
  for (const event of events) {
    for (const handler of postCommit.get(event.event) ?? []) {
      if (event.mark <= from(handler)) continue
      try {
        await startChain(relay, event, handler)
      } catch (error) {
        if (!isArchivoltError(error) || error.retryable) throw error
        const about = { handler: handler.name, event: event.event, documentId: event.documentId }
        relay.platform.logger.error({ err: error, ...about }, 'an event handler failed')
      }
    }
  }
}

const follow = async (relay: Relay, database: Database, signal: AbortSignal): Promise<void> => {
  const outbox = createOutboxRelay(database, CURSOR)
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    try {
      const isHeard = relay.platform.snapshot().get(eventHandlersRegistry).postCommit.size > 0
      if (!isHeard) await outbox.skip(async () => (await relay.hearing()).postCommit.size === 0)
      const count = isHeard ? await outbox.next(PAGE, (events) => startChains(relay, events)) : 0
      if (count < PAGE) await wait(isHeard ? LOOK_MS : IDLE_MS)
    } catch (error) {
      relay.platform.logger.warn(error, 'events could not be relayed; they will be')
      await wait(IDLE_MS)
    }
  }
}

/**
 * Starts the chains of handlers that wait for the commit (`postCommit`), for each event of every repository in order.
 * Of several workers one does so at a time; what one that died had started is not started again.
 *
 * @returns what ends it.
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
  const { taskQueue, namespace } = platform.settings.temporal
  const client = new Client({ connection, namespace })
  const ending = new AbortController()
  const hearing = createHearing(platform.deployed)
  const following = [...platform.repositories.values()].map((own, index) => {
    const repository = own.repository === platform.repository ? undefined : own.repository
    const relay = { client, taskQueue, platform: own, runtime, repository, hearing, metrics }
    return follow(relay, platform.databases[index]!, ending.signal)
  })
  return async () => {
    ending.abort()
    await Promise.all(following)
  }
}
