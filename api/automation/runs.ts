import { createHash, randomUUID } from 'node:crypto'
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import {
  CHAIN_PARAMETERS,
  type ChainDefinition,
  type Plan,
  packState,
  planChain,
  type Registry,
  type RunState,
  type UnitsOfWork,
  unpackState,
  withDefaults,
} from '../../core/automation/index.js'
import { fail } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'
import type { ChainProgress, ChainResult, ChainRun } from '../../workflows/types.js'
import type { AutomationRequest } from './decode.js'
import type { Handovers } from './handovers.js'
import { heartbeatOf } from './heartbeat.js'
import { runFailure } from './run-failure.js'

const CHAIN_ID = defineSearchAttributeKey('ChainId', SearchAttributeType.KEYWORD)
const PRINCIPAL = defineSearchAttributeKey('Principal', SearchAttributeType.KEYWORD)
const DOCUMENT_ID = defineSearchAttributeKey('DocumentId', SearchAttributeType.KEYWORD)
const REQUEST_ID = defineSearchAttributeKey('RequestId', SearchAttributeType.KEYWORD)

/** Temporal refuses larger payloads; a plan must travel inline because the workflow reads it. */
const MAX_PLAN_BYTES = 1_500_000

export type NewRun = {
  chain: ChainDefinition
  /** What the chain was found in, and what it calls is looked up in. */
  registry: Registry
  request: AutomationRequest
  principal: Principal
  requestId: string
  idempotencyKey?: string | undefined
}

export type RunDescription = {
  workflowId: string
  chainId: string
  principal: string
  /** `RUNNING`, `COMPLETED`, `FAILED`, `CANCELLED`, `TERMINATED` or `TIMED_OUT`. */
  status: string
  /** Where an operator sees it, when the address of the Temporal UI is known. */
  workflowUrl?: string
  startedAt: Date
  closedAt: Date | undefined
}

export type Runs = {
  /** Starts a run, or finds the one that the same caller started with the same key. */
  start(run: NewRun): Promise<string>
  /** Waits for a run's end. @throws what the run failed with, with the status that it maps to. */
  result(workflowId: string, principal: Principal): Promise<RunState>
  /** @throws notFound for a run that is unknown or somebody else's. */
  describe(workflowId: string, principal: Principal): Promise<RunDescription>
  /** The description with how far the run is, as far as a worker is there to tell. */
  report(workflowId: string, principal: Principal): Promise<RunDescription & Partial<ChainProgress>>
  cancel(workflowId: string, principal: Principal): Promise<void>
}

/** Temporal refuses longer texts in an index, and longer summaries: 3 bytes a character at most. */
const MAX_INDEXED = 255
const MAX_SUMMARY = 120

/** Workflow ids are read by operators, and sent in a header: the chain's id first, then what makes it unique. */
const newWorkflowId = ({ chain, principal, idempotencyKey }: NewRun): string => {
  const name = chain.id.replace(/[^\x20-\x7e]|\//g, '_')
  if (idempotencyKey === undefined) return `${name}-${randomUUID()}`
  const digest = createHash('sha256')
    .update(JSON.stringify([principal.name, idempotencyKey]))
    .digest('hex')
  return `${name}-key-${digest.slice(0, 32)}`
}

/** What must be the same for a key to mean the same call. */
const fingerprint = ({ chain, request }: NewRun, repository: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([chain.id, request, ...(repository === undefined ? [] : [repository])]))
    .digest('hex')

const searchAttributes = ({ chain, principal, requestId, request }: NewRun): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: CHAIN_ID, value: chain.id },
    { key: PRINCIPAL, value: principal.name },
    { key: REQUEST_ID, value: requestId },
    ...(request.input.type === 'document'
      ? [{ key: DOCUMENT_ID, value: request.input.id.slice(0, MAX_INDEXED) }]
      : []),
  ])

const workflowUrl = (
  { uiUrl, namespace }: { uiUrl: string; namespace: string },
  { workflowId, runId }: WorkflowExecutionDescription,
): string =>
  `${uiUrl.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}/${runId}`

/** How long a worker may take to answer how far a run is; the rest of its description does not need one. */
const QUERY_MS = 2_000

/** A run's own account of its progress; undefined when no worker is there to give it. */
const answered = async (handle: WorkflowHandle): Promise<ChainProgress | undefined> => {
  try {
    return await handle.client.withDeadline(Date.now() + QUERY_MS, () =>
      handle.query<ChainProgress>('progress'),
    )
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error
    return undefined
  }
}

const resultOf = (client: Client, workflowId: string): Promise<ChainResult> =>
  client.workflow.getHandle(workflowId).result()

/** Starts and follows chain runs on Temporal. */
export const createRuns = ({
  client,
  eager = () => undefined,
  taskQueue,
  uiUrl,
  units,
  repository,
}: {
  client: Client
  /** The client of a worker that this process carries, once there is one, and what that worker tells. */
  eager?: () => { client: Client; handovers: Handovers } | undefined
  taskQueue: string
  uiUrl?: string | undefined
  units: UnitsOfWork
  /** The repository that the runs act on; absent: the default one. */
  repository?: string | undefined
}): Runs => {
  const own = async (workflowId: string, principal: Principal) => {
    const handle = client.workflow.getHandle(workflowId)
    try {
      const description = await handle.describe()
      const owner = description.memo?.principal
      const isOwn = owner === principal.name || principal.isAdministrator
      // Conversions are followed elsewhere, and answer other questions.
      if (!isOwn || description.type !== 'chain') throw fail('notFound', workflowId)
      return { handle: handle as WorkflowHandle, description }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw fail('notFound', workflowId)
      throw error
    }
  }

  const describe = (description: WorkflowExecutionDescription): RunDescription => ({
    workflowId: description.workflowId,
    chainId: description.typedSearchAttributes.get(CHAIN_ID) ?? description.type,
    principal: String(description.memo?.principal ?? ''),
    status: description.status.name,
    ...(uiUrl && { workflowUrl: workflowUrl({ uiUrl, namespace: client.options.namespace }, description) }),
    startedAt: description.startTime,
    closedAt: description.closeTime,
  })

  /** The run that has the key already, when it was started for the same call. */
  const sameRun = async (workflowId: string, run: NewRun): Promise<string> => {
    const { description } = await own(workflowId, run.principal)
    if (description.memo?.fingerprint !== fingerprint(run, repository)) {
      throw fail('conflict', 'Idempotency-Key: it was used for another request before')
    }
    return workflowId
  }

  /** A run of which nothing is left to be done when its first segment is. */
  const isHandedOver = ({ nodes: [only, second] }: Plan): boolean =>
    only?.kind === 'segment' && !only.isSlow && second === undefined

  const planned = async ({ chain, registry, request, principal, requestId }: NewRun): Promise<ChainRun> => {
    const plan = planChain(chain, registry)
    const bytes = Buffer.byteLength(JSON.stringify(plan))
    if (bytes > MAX_PLAN_BYTES)
      throw fail(
        'tooLarge',
        `The chain ${chain.id} with all that it calls is ${bytes} bytes large, ${MAX_PLAN_BYTES} are possible`,
      )
    const params = withDefaults(chain.params, request.params)
    const isStep = chain.steps.some((step) => step.isLiteral)
    const variables = isStep
      ? request.variables
      : { ...request.variables, [CHAIN_PARAMETERS]: { type: 'json' as const, value: params } }
    const state = await packState(units.reading(principal).transient, { input: request.input, variables })
    // The Temporal UI shows a run's input in this order: what the caller gave is read before the long plan.
    return {
      principal: principal.name,
      requestId,
      ...(repository !== undefined && { repository }),
      state,
      plan,
    }
  }

  return {
    start: async (run) => {
      const workflowId = newWorkflowId(run)
      try {
        const input = await planned(run)
        const carried = eager()
        const isExpected = run.idempotencyKey === undefined && isHandedOver(input.plan)
        if (isExpected) carried?.handovers.expect(workflowId)
        const handle = await (carried?.client ?? client).workflow.start('chain', {
          requestEagerStart: carried !== undefined,
          taskQueue,
          workflowId,
          args: [input],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
          typedSearchAttributes: searchAttributes(run),
          memo: {
            principal: run.principal.name,
            fingerprint: fingerprint(run, repository),
            requestId: run.requestId,
          },
          staticSummary: (run.chain.description ?? run.chain.id).slice(0, MAX_SUMMARY),
        })
        // It begins at some worker: nobody here will tell of it.
        if (!handle.eagerlyStarted) carried?.handovers.tell(workflowId, undefined)
        return workflowId
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return sameRun(workflowId, run)
        throw error
      }
    },

    result: async (workflowId, principal) => {
      try {
        const carried = eager()
        const handed = await carried?.handovers.taken(workflowId)
        const state = handed ?? (await resultOf(carried?.client ?? client, workflowId)).state
        return await unpackState(units.reading(principal).transient, state)
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw runFailure(error)
        throw error
      }
    },

    describe: async (workflowId, principal) => describe((await own(workflowId, principal)).description),

    report: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      const progress = await answered(handle)
      const page = progress && heartbeatOf(description)
      const loop = page && { loop: { failures: [], ...progress.loop, ...page } }
      return { ...describe(description), ...progress, ...loop }
    },

    cancel: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      if (description.status.name !== 'RUNNING') throw fail('notFound', workflowId)
      await handle.cancel()
    },
  }
}
