import { randomUUID } from 'node:crypto'
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { TypedSearchAttributes } from '@temporalio/common'
import {
  CHAIN_PARAMETERS,
  type ChainDefinition,
  type Plan,
  packState,
  planChain,
  type Registry,
  type RunFailure,
  type RunState,
  type UnitsOfWork,
  unpackState,
  withDefaults,
} from '../../core/automation/index.js'
import { fail, isArchivoltError } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'
import type { ChainProgress, ChainResult, ChainRun } from '../../workflows/types.js'
import type { AutomationRequest } from './decode.js'
import type { Handovers } from './handovers.js'
import { heartbeatOf } from './heartbeat.js'
import { listRuns, type RunPage, type RunsFilter } from './list-runs.js'
import {
  CHAIN_ID,
  createRunAccess,
  DOCUMENT_ID,
  PRINCIPAL,
  REQUEST_ID,
  type RunDescription,
} from './run-access.js'
import { runFailure } from './run-failure.js'
import { type FailedItems, repairsOf, resetFailed } from './run-history.js'
import { digest, newRunId } from './run-ids.js'
import { type RunReport, reportOf } from './run-report.js'

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

export type Runs = {
  /** Starts a run, or finds the one that the same caller started with the same key. */
  start(run: NewRun): Promise<string>
  /** Waits for a run's end. @throws what the run failed with, with the status that it maps to. */
  result(workflowId: string, principal: Principal): Promise<RunState>
  /** @throws notFound for a run that is unknown or somebody else's. */
  describe(workflowId: string, principal: Principal): Promise<RunDescription>
  /** The description with how far the run is, as far as a worker is there to tell. */
  report(workflowId: string, principal: Principal): Promise<RunReport>
  /** Runs on Temporal and inline ones of this repository; who asks is not looked at but for the filter. */
  list(
    filter: RunsFilter,
    principal: Principal,
    page: { pageSize: number; cursor?: string | undefined },
  ): Promise<RunPage>
  /** @throws notFound for a run that has ended, too. */
  cancel(workflowId: string, principal: Principal): Promise<void>
  /** Starts a failed run again where it failed. @throws conflict for one that has not failed. */
  retry(workflowId: string, principal: Principal): Promise<string>
  /**
   * Starts a run that does failed items of an ended one again: those at the given positions of its loops, or all.
   *
   * @throws conflict for a run that goes on, notFound when there is no such failed item.
   */
  retryItems(
    workflowId: string,
    principal: Principal,
    asked: Pick<FailedItems, 'positions' | 'step'>,
  ): Promise<string>
}

/** Temporal refuses longer texts in an index, and longer summaries: 3 bytes a character at most. */
const MAX_INDEXED = 255
const MAX_SUMMARY = 120

const newWorkflowId = ({ chain, principal, idempotencyKey }: NewRun): string =>
  newRunId({ chainId: chain.id, execution: 'workflow', principal: principal.name, idempotencyKey })

/** What must be the same for a key to mean the same call. */
const fingerprint = ({ chain, request }: NewRun, repository: string | undefined): string =>
  digest([chain.id, request, ...(repository === undefined ? [] : [repository])])

const searchAttributes = ({ chain, principal, requestId, request }: NewRun): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: CHAIN_ID, value: chain.id },
    { key: PRINCIPAL, value: principal.name },
    { key: REQUEST_ID, value: requestId },
    ...(request.input.type === 'document'
      ? [{ key: DOCUMENT_ID, value: request.input.id.slice(0, MAX_INDEXED) }]
      : []),
  ])

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

/** What a failed run failed with, as its caller was told. */
const failureOf = async (handle: WorkflowHandle): Promise<RunFailure | undefined> => {
  try {
    await handle.result()
    return undefined
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    const cause = runFailure(error)
    return isArchivoltError(cause)
      ? { code: cause.code, status: cause.status, message: cause.message }
      : { code: 'internal', status: 500, message: 'Internal error' }
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
  const access = createRunAccess({ client, uiUrl })
  const { own } = access

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
            ...(repository !== undefined && { repository }),
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

    describe: async (workflowId, principal) =>
      access.describe((await own(workflowId, principal)).description),

    report: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      const [progress, loops, failure] = await Promise.all([
        answered(handle),
        units.reading(principal).receipts.loops(workflowId),
        description.status.name === 'FAILED' ? failureOf(handle) : undefined,
      ])
      const run = access.describe(description)
      if (!progress) return { ...run, ...(failure && { failure }) }
      return reportOf(run, { progress, loops, page: heartbeatOf(description), failure })
    },

    list: (filter, principal, page) =>
      listRuns({ client, access, inlineRuns: units.reading(principal).inlineRuns }, filter, page),

    cancel: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      if (description.status.name !== 'RUNNING') throw fail('notFound', workflowId)
      await handle.cancel()
    },

    retry: async (workflowId, principal) => {
      const { description } = await own(workflowId, principal)
      await resetFailed(client, description)
      return workflowId
    },

    retryItems: async (workflowId, principal, asked) => {
      const { description } = await own(workflowId, principal)
      if (description.status.name === 'RUNNING')
        throw fail('conflict', `The run ${workflowId} goes on: its failed items are known when it has ended`)
      const loops = await units.reading(principal).receipts.loops(workflowId)
      const failed = new Map(
        loops.map(({ step, failures }) => [step, failures.map(({ position }) => position)] as const),
      )
      const { run, nodes } = await repairsOf(client, { description, items: { failed, ...asked } })
      const repairId = `${workflowId.replace(/\//g, '_')}-items-${randomUUID()}`
      await client.workflow.start('chain', {
        taskQueue,
        workflowId: repairId,
        args: [{ ...run, plan: { ...run.plan, nodes } } satisfies ChainRun],
        typedSearchAttributes: description.typedSearchAttributes,
        memo: { ...description.memo, principal: run.principal, repairs: workflowId },
        staticSummary: `Failed items of ${workflowId}`.slice(0, MAX_SUMMARY),
      })
      return repairId
    },
  }
}
