import { Context } from '@temporalio/activity'
import { type Principal, SYSTEM } from '../core/access/security/index.js'
import { runDeployed, type SegmentDependencies } from '../core/automation/execution/index.js'
import type { OperationContext } from '../core/automation/language/index.js'
import {
  dueRules,
  executeRule,
  type RuleCall,
  recordFailure,
} from '../core/automation/routing/escalation/index.js'
import { followRoute, moveByCommand, type RouteView } from '../core/automation/routing/following/index.js'
import { fail, isArchivoltError } from '../core/platform/errors/index.js'
import { failing } from './failure.js'
import type { RouteActivities, RouteStep, RunPlace } from './types.js'

type RouteDependencies = {
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  /** See `outlookOf`. */
  periodMs: number
}

/** The activities of the workflow `route`: thin, each one call of the core in a transaction. */
export const createRouteActivities = ({
  segments,
  principal,
  periodMs,
}: RouteDependencies): RouteActivities => {
  const within = async <Result extends object>(
    input: RouteStep,
    { actor, step }: { actor: Principal; step?: string },
    work: (context: OperationContext) => Promise<Result>,
  ): Promise<Result> => {
    const { workflowId, isRepeated = false } = input
    const key = step === undefined ? undefined : { workflowId, step, isRepeated }
    const signal = Context.current().cancellationSignal
    return runDeployed(await segments(input), { principal: actor, key, signal }, work)
  }

  const look = async (input: RouteStep): Promise<RouteView | null> => {
    try {
      return await within(input, { actor: SYSTEM }, (context) =>
        followRoute(context, { routeId: input.routeId, periodMs }),
      )
    } catch (error) {
      // Its document was removed.
      if (isArchivoltError(error) && error.code === 'notFound') return null
      throw error
    }
  }

  const execute = async (input: RouteStep, call: RuleCall): Promise<void> => {
    const step = `${input.step}/${call.node}/${call.rule}`
    try {
      await within(input, { actor: SYSTEM, step }, async (context) => ({
        isExecuted: await executeRule(context, { call, periodMs }),
      }))
    } catch (error) {
      if (!isArchivoltError(error) || error.retryable) throw error
      const { message } = error
      await within(input, { actor: SYSTEM, step: `${step}/failed` }, async (context) => {
        await recordFailure(context, call, message)
        return {}
      })
    }
  }

  return {
    moveRoute: (input) =>
      failing(async () => {
        const actor = await principal(input.principal)
        if (!actor) throw fail('forbidden', `User ${input.principal} does not exist or is disabled`)
        const { routeId, command, step } = input
        return within(input, { actor, step }, (context) =>
          moveByCommand(context, { routeId, command, periodMs }),
        )
      }),

    lookAtRoute: (input) => failing(() => look(input)),

    escalateRoute: (input) =>
      failing(async () => {
        if (!(await look(input))) return null
        const { due } = await within(input, { actor: SYSTEM }, async (context) => ({
          due: await dueRules(context, { routeId: input.routeId, periodMs }),
        }))
        for (const call of due) await execute(input, call)
        return look(input)
      }),

    cancelRoute: (input) =>
      failing(async () => {
        const view = await look(input)
        if (view?.status !== 'running') return
        await within(input, { actor: SYSTEM, step: input.step }, (context) =>
          moveByCommand(context, { routeId: input.routeId, command: { kind: 'cancel' }, periodMs }),
        )
      }),
  }
}
