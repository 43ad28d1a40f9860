import { randomUUID } from 'node:crypto'
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client'
import type { TypedSearchAttributes } from '@temporalio/common'
import type { Principal } from '../../core/access/security/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import { type Plan, planRun, planToTravel, type RunOrder } from '../../core/automation/planning/index.js'
import {
  type PackedState,
  type RunState,
  type UnitsOfWork,
  unpackState,
} from '../../core/automation/run-store/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import { runAttributes } from '../../worker/index.js'
import type { ChainResult, ChainRun } from '../../workflows/types.js'
import { digest } from '../idempotency/index.js'
import type { Handovers } from './handovers.js'
import { heartbeatOf } from './heartbeat.js'
import { listRuns, type RunPage, type RunsFilter } from './list-runs.js'
import { noSuchItems } from './no-items.js'
import { calledRunId } from './open-runs.js'
import { isOutdated } from './outdated.js'
import { currentChain, retryCurrent } from './retry-current.js'
import { BULK, createRunAccess, noRun, type RunDescription } from './run-access.js'
import { runFailure } from './run-failure.js'
import { lastExecution, repairedLoops, repairsOf, resetFailed } from './run-history.js'
import { newRunId } from './run-ids.js'
import { incidentFields, incidentsOf } from './run-incidents.js'
import {
  type AskedItems,
  askedItems,
  type FailedItemsPage,
  failedAgain,
  failedAgainSoFar,
  failedItems,
  type ItemsPage,
} from './run-items.js'
import { failureOf, progressOf } from './run-questions.js'
import { type RunReport, reportOf } from './run-report.js'
import type { RunRoom } from './run-room.js'

/** A chain that a caller starts. */
export type NewRun = RunOrder & {
  /** The same key of the same caller means the same run. */
  idempotencyKey?: string | undefined
  /** Called when the run is that of an earlier call with the key. */
  onEarlier?: () => void
}

export type Runs = {
  /** Starts a run, or finds the one that an earlier call of the same caller started with the same key. */
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
  /** Whether its chain, or something that this calls, was deployed anew since it began; as far as that is known. */
  isOutdated(workflowId: string, principal: Principal, registry: Registry): Promise<boolean>
  /**
   * Starts a run that has failed, or was cancelled, again where it stood.
   *
   * @param current goes on with the chain as it is deployed now: see `retryCurrent`. Absent: as it was.
   * @throws conflict for one that has neither failed nor was cancelled.
   */
  retry(workflowId: string, principal: Principal, current?: Registry): Promise<string>
  /**
   * Starts a run that does failed items of an ended one again: those at the given positions of its loops, or all.
   *
   * @throws conflict for a run that goes on, notFound when there is no such failed item.
   */
  retryItems(workflowId: string, principal: Principal, asked: AskedItems, current?: Registry): Promise<string>
  /** Failed items of a run's loops, in order. */
  items(workflowId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
}

/** Temporal refuses longer texts in an index, and longer summaries: 3 bytes a character at most. */
const MAX_INDEXED = 255
const MAX_SUMMARY = 120

const newWorkflowId = ({ chain, principal, idempotencyKey }: NewRun, taskQueue: string): string =>
  calledRunId(
    newRunId({ chainId: chain.id, execution: 'workflow', principal: principal.name, idempotencyKey }),
    taskQueue,
  )

/** What must be the same for a key to mean the same call. */
const fingerprint = ({ chain, request }: NewRun, repository: string | undefined): string =>
  digest([chain.id, request, ...(repository === undefined ? [] : [repository])])

const searchAttributes = ({
  chain,
  principal,
  requestId,
  request: { input },
}: NewRun): TypedSearchAttributes =>
  runAttributes({
    chainId: chain.id,
    principal: principal.name,
    requestId,
    documentId: input.type === 'document' ? input.id.slice(0, MAX_INDEXED) : undefined,
  })

const resultOf = (client: Client, workflowId: string): Promise<ChainResult> =>
  client.workflow.getHandle(workflowId).result()

/** @throws notFound for a bulk command, which comes to what it has done. */
const stateOf = (workflowId: string, result: Partial<ChainResult>): PackedState => {
  if (result.state && typeof result.state === 'object') return result.state
  throw fail('notFound', `The run ${workflowId} has no result; its documents tell what it did`)
}

/** Starts and follows chain runs on Temporal. */
export const createRuns = ({
  client,
  eager = () => undefined,
  taskQueue,
  uiUrl,
  units,
  repository,
  room,
}: {
  client: Client
  /** The client of a worker that this process carries, once there is one, and what that worker tells. */
  eager?: () => { client: Client; handovers: Handovers } | undefined
  taskQueue: string
  uiUrl?: string | undefined
  units: UnitsOfWork
  /** The repository that the runs act on; absent: the default one. */
  repository?: string | undefined
  /** For the runs that users start. Absent: for any number. */
  room?: RunRoom
}): Runs => {
  const access = createRunAccess({ client, uiUrl })
  const { own } = access

  /** A bulk command is started again by way of its row, which its own repository has. */
  const ownChain = async (workflowId: string, principal: Principal) => {
    const { description } = await own(workflowId, principal)
    if (description.type === BULK) throw fail('notFound', noRun(workflowId))
    return description
  }

  /** The run that has the key already, when it was started for the same call. */
  const sameRun = async (workflowId: string, run: NewRun): Promise<string> => {
    const { description } = await own(workflowId, run.principal)
    if (description.memo?.fingerprint !== fingerprint(run, repository)) {
      throw fail('conflict', 'Idempotency-Key: it was used for another request before')
    }
    run.onEarlier?.()
    return workflowId
  }

  /** Whoever would have a run do again what it has passed over is told how. */
  const requireNoFailedItems = async (workflowId: string, principal: Principal): Promise<void> => {
    const loops = await units.reading(principal).receipts.loops(workflowId)
    const failed = loops.reduce((sum, loop) => sum + loop.failed, 0)
    if (failed === 0) return
    throw fail(
      'conflict',
      `The run ${workflowId} has not failed: it is COMPLETED; ${failed} of its items failed, which its items/retry does again (archivolt retry --items ${workflowId})`,
    )
  }

  /** Makes room for a run. @returns the run that has its key already, for which none is needed. */
  const roomFor = async (workflowId: string, run: NewRun): Promise<string | undefined> => {
    try {
      await room?.enter(run.principal, workflowId)
      return undefined
    } catch (error) {
      if (run.idempotencyKey === undefined) throw error
      return sameRun(workflowId, run).catch((reason: unknown) => {
        throw isArchivoltError(reason) && reason.code === 'notFound' ? error : reason
      })
    }
  }

  /** A run of which nothing is left to be done when its first segment is. */
  const isHandedOver = ({ nodes: [only, second] }: Plan): boolean =>
    only?.kind === 'segment' && !only.isSlow && second === undefined

  return {
    start: async (run) => {
      const workflowId = newWorkflowId(run, taskQueue)
      const begun = await roomFor(workflowId, run)
      if (begun !== undefined) return begun
      try {
        const input = await planRun(run, { units, repository })
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
        room?.leave(run.principal, workflowId)
        if (error instanceof WorkflowExecutionAlreadyStartedError) return sameRun(workflowId, run)
        throw error
      }
    },

    result: async (workflowId, principal) => {
      try {
        const carried = eager()
        const handed = await carried?.handovers.taken(workflowId)
        const state = handed ?? stateOf(workflowId, await resultOf(carried?.client ?? client, workflowId))
        return await unpackState(units.reading(principal).transient, state)
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw runFailure(error)
        throw error
      } finally {
        room?.leave(principal, workflowId)
      }
    },

    describe: async (workflowId, principal) =>
      access.describe((await own(workflowId, principal)).description),

    report: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      if (description.type === BULK) return access.describe(description)
      const reading = units.reading(principal)
      const [progress, loops, incidents, failure] = await Promise.all([
        progressOf(handle),
        reading.receipts.loops(workflowId),
        incidentsOf(reading, workflowId),
        description.status.name === 'FAILED' ? failureOf(client, description) : undefined,
      ])
      const run = access.describe(description)
      if (!progress) return { ...run, ...(failure && { failure }), ...incidentFields(incidents) }
      return reportOf(run, { progress, loops, page: heartbeatOf(description), failure, incidents })
    },

    items: async (workflowId, principal, page) => {
      const { handle, description } = await own(workflowId, principal)
      if (description.type === BULK) throw fail('notFound', noRun(workflowId))
      const { receipts } = units.reading(principal)
      if (description.memo?.repairs === undefined) return failedItems(receipts, workflowId, page)
      return description.status.name === 'COMPLETED'
        ? failedAgain(receipts, await repairedLoops(client, description), page)
        : failedAgainSoFar(await progressOf(handle), page)
    },

    list: (filter, principal, page) =>
      listRuns({ client, access, inlineRuns: units.reading(principal).inlineRuns }, filter, page),

    cancel: async (workflowId, principal) => {
      const { handle, description } = await own(workflowId, principal)
      if (description.status.name !== 'RUNNING')
        throw fail('notFound', `The run ${workflowId} has ended already`)
      await handle.cancel()
    },

    isOutdated: async (workflowId, principal, registry) => {
      const description = await ownChain(workflowId, principal)
      // One that a schedule could not plan has no definition yet, and items of another run are loops without theirs.
      if (description.type !== 'chain' || description.memo?.repairs !== undefined) return false
      return isOutdated((await lastExecution(client, description)).run, registry)
    },

    retry: async (workflowId, principal, current) => {
      const description = await ownChain(workflowId, principal)
      if (description.status.name === 'COMPLETED' && description.memo?.repairs === undefined)
        await requireNoFailedItems(workflowId, principal)
      await room?.enter(principal, workflowId)
      // One that a schedule could not plan has no definition yet.
      if (current && description.type === 'chain')
        await retryCurrent({ client, units, taskQueue }, { description, registry: current, principal })
      else await resetFailed(client, description)
      return workflowId
    },

    retryItems: async (workflowId, principal, asked, current) => {
      const description = await ownChain(workflowId, principal)
      if (description.memo?.repairs !== undefined)
        throw fail(
          'conflict',
          `The run ${workflowId} does items of ${description.memo.repairs} again: ask that one`,
        )
      if (description.status.name === 'RUNNING')
        throw fail('conflict', `The run ${workflowId} goes on: its failed items are known when it has ended`)
      const items = await askedItems(units.reading(principal).receipts, workflowId, asked)
      if (items.length === 0) {
        const ended = { workflowId, status: description.status.name }
        const loops = await units.reading(principal).receipts.loops(workflowId)
        throw fail('notFound', noSuchItems(loops, ended, asked))
      }
      const planNow = current && ((of: ChainRun) => planToTravel(currentChain(of, current), current))
      const run = await repairsOf(client, { description, items, planNow })
      const repairId = calledRunId(`${workflowId.replace(/\//g, '_')}-items-${randomUUID()}`, taskQueue)
      await room?.enter(principal, repairId)
      await client.workflow.start('chain', {
        taskQueue,
        workflowId: repairId,
        args: [run],
        typedSearchAttributes: description.typedSearchAttributes,
        memo: { ...description.memo, principal: run.principal, repairs: workflowId },
        staticSummary: `Failed items of ${workflowId}`.slice(0, MAX_SUMMARY),
      })
      return repairId
    },
  }
}
