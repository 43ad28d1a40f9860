import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { RouteAction, RouteActivities, RouteStep } from '../activities/types.js'
import type { RouteView } from '../core/automation/routing/following/index.js'
import type { RouteRun } from './chain/types.js'
import { showRoute } from './route-attributes.js'

export const actUpdate = defineUpdate<RouteView, [RouteAction]>('act')

/** A transaction has changed the route without its workflow. */
const changed = defineSignal('changed')

/** Infrastructure comes back; what does not pass is marked as final where it is thrown. */
const RETRY = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const
const activities = (summary: string) =>
  proxyLocalActivities<RouteActivities>({ startToCloseTimeout: '5 minutes', retry: RETRY, summary })

/** A route that an operation has cancelled is not asked for. */
const CANCEL_EXPECTED = '10 seconds'

/** Work one after the other: a route moves once at a time. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * A document route. Where it stands is the route's own row, which each move changes in one transaction; the workflow
 * brings what somebody asks and what time brings to it, one after the other, and shows it to operators.
 */
export async function route(input: RouteRun): Promise<void> {
  const { routeId, repository } = input
  const { workflowId, runId, firstExecutionRunId } = workflowInfo()
  const inTurn = createTurns()
  const state: { view?: RouteView | null; isStale: boolean; moves: number } = { isStale: false, moves: 0 }
  let timers = 0

  const stepInput = (step: string): RouteStep => ({
    routeId,
    workflowId,
    step,
    ...(repository !== undefined && { repository }),
    ...(runId !== firstExecutionRunId && { isRepeated: true }),
  })

  const take = (view: RouteView | null): void => {
    state.view = view
    state.moves++
    if (view) showRoute(view)
  }

  setHandler(changed, () => {
    state.isStale = true
  })
  setHandler(actUpdate, (action) =>
    inTurn(async () => {
      const step = `act/${currentUpdateInfo()?.id}`
      try {
        const view = await activities(action.command.kind).moveRoute({ ...stepInput(step), ...action })
        take(view)
        return view
      } catch (error) {
        // Nothing has moved; whether there is a route at all is not known before the first look.
        if (state.view === undefined) state.isStale = true
        throw error
      }
    }),
  )

  const isOver = (): boolean =>
    state.view === null || (state.view !== undefined && state.view?.status !== 'running')

  const follow = async (): Promise<void> => {
    await condition(() => state.view !== undefined || state.isStale)
    for (;;) {
      if (state.isStale) {
        state.isStale = false
        take(await inTurn(() => activities('look').lookAtRoute(stepInput('look'))))
        continue
      }
      if (isOver()) return
      if (workflowInfo().continueAsNewSuggested) {
        await condition(allHandlersFinished)
        await continueAsNew<typeof route>({ ...input, isFollowed: true })
      }
      const { moves } = state
      const hasMoved = () => state.isStale || state.moves !== moves
      const wakeInMs = state.view?.wakeInMs ?? null
      if (wakeInMs === null) await condition(hasMoved)
      else if (!(await condition(hasMoved, Math.max(1, wakeInMs)))) {
        const step = `escalate/${runId}/${timers++}`
        take(await inTurn(() => activities('escalate').escalateRoute(stepInput(step))))
      }
    }
  }

  if (input.isFollowed) state.isStale = true
  try {
    await follow()
    await condition(allHandlersFinished)
    if (state.view?.status === 'canceled') {
      // Temporal lists as cancelled what it was asked to cancel, which who has cancelled the route does next.
      await condition(() => false, CANCEL_EXPECTED)
    }
  } catch (error) {
    if (isCancellation(error))
      await CancellationScope.nonCancellable(() =>
        inTurn(() => activities('cancel').cancelRoute(stepInput('cancel'))),
      )
    throw error
  }
}
