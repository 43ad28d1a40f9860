import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  type WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { RouteAction } from '../../activities/types.js'
import type { RouteCall, RouteRuns, RouteView } from '../../core/automation/routing/following/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { createFairSemaphore } from '../../core/platform/limits/index.js'
import type { route } from '../../workflows/route.js'
import type { Temporal } from '../client/index.js'
import { engineFailure, runFailure } from '../failures/index.js'
import { moveFailure } from './move-failure.js'
import { routeStart, routeWorkflowId } from './route-workflow.js'
import { signalRoute } from './signal-route.js'

/** Workflow ids of one query. */
const MAX_ASKED = 100

/** Milliseconds within which an Update is answered; it goes on behind that. */
const WAITED_MS = 60_000

/** Attempts of an Update whose workflow ends while it arrives. */
const MAX_ATTEMPTS = 7

/** Moves of a process at once: those of one user leave places to others, whose first tasks would wait behind them. */
const moves = createFairSemaphore({ places: 8, waitTimeoutMs: 10_000 })

const tooMany = (name: string): Error =>
  fail('tooManyRequests', `${name} has as many workflows that begin or move as one user may have at once`)

/** Milliseconds before the second attempt, doubled for each further one: the end of a workflow takes its time, too. */
const PAUSE_MS = 25

/** `NOT_FOUND`, `FAILED_PRECONDITION` and `ABORTED` of gRPC: the workflow has ended meanwhile. */
const ENDED: readonly unknown[] = [5, 9, 10]

/** The answer of gRPC, which the client wraps for an Update, and does not for one with a start. */
const answerOf = (error: unknown) => {
  const answer = isGrpcServiceError(error) ? error : (error as Error | undefined)?.cause
  return isGrpcServiceError(answer) ? answer.code : undefined
}

/** Whether nobody knows what has become of an Update: it met the end of the workflow. */
const isLost = (error: unknown): boolean => {
  if (!(error instanceof WorkflowUpdateFailedError)) return ENDED.includes(answerOf(error))
  const { cause } = error
  return !(cause instanceof ApplicationFailure && (cause.details?.length ?? 0) > 0)
}

const answered = async (temporal: Temporal, call: RouteCall, repository?: string): Promise<RouteView> => {
  const { principal, requestId, command, ...about } = call
  const action: RouteAction = { principal: principal.name, requestId, command }
  // The receipt of a move has this id: what was done is answered, and not done again.
  const updateId = randomUUID()
  const update = { updateId, args: [action] as [RouteAction] }
  const starting = () =>
    temporal.client.workflow.executeUpdateWithStart<typeof route, RouteView, [RouteAction]>('act', {
      ...update,
      startWorkflowOperation: new WithStartWorkflowOperation<typeof route>('route', {
        ...routeStart(temporal, { ...about, repository }),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    })
  const running = () =>
    temporal.client.workflow
      .getHandle<typeof route>(routeWorkflowId(call.routeId))
      .executeUpdate<RouteView, [RouteAction]>('act', update)
  // The workflow of a route that has started is there: only one that was lost is started with the Update.
  let isThere = command.kind !== 'start'
  for (let attempt = 1; ; attempt++) {
    try {
      return await temporal.client.withDeadline(Date.now() + WAITED_MS, isThere ? running : starting)
    } catch (error) {
      const isMissing = isThere && error instanceof WorkflowNotFoundError
      isThere = false
      if (isMissing) continue
      if (attempt === MAX_ATTEMPTS || !isLost(error)) throw error
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

/** Routes of one repository. */
export const createRouteRuns = (temporal: Temporal & { repository?: string | undefined }): RouteRuns => {
  const { repository } = temporal
  return {
    act: async (call) => {
      const begun = Date.now()
      try {
        const view = await moves.within(
          call.principal.name,
          () => answered(temporal, call, repository),
          tooMany,
        )
        if (call.command.kind === 'cancel')
          await temporal.client.workflow.getHandle(routeWorkflowId(call.routeId)).cancel()
        return view
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError)
          throw runFailure(error as unknown as WorkflowFailedError)
        throw moveFailure(error, { waited: Date.now() - begun, most: WAITED_MS }) ?? error
      }
    },

    follow: async (route) => {
      try {
        await signalRoute(temporal, { ...route, repository })
      } catch (error) {
        throw engineFailure(error) ?? error
      }
    },

    running: async (routeIds) => {
      const found = new Set<string>()
      for (let at = 0; at < routeIds.length; at += MAX_ASKED) {
        const ids = routeIds.slice(at, at + MAX_ASKED).map((id) => `'${routeWorkflowId(id)}'`)
        const query = `WorkflowId IN (${ids.join(', ')}) AND ExecutionStatus = 'Running'`
        for await (const { workflowId } of temporal.client.workflow.list({ query }))
          found.add(workflowId.slice(routeWorkflowId('').length))
      }
      return found
    },
  }
}
