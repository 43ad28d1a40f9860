import {
  WithStartWorkflowOperation,
  type WorkflowFailedError,
  WorkflowUpdateFailedError,
} from '@temporalio/client'
import type { RouteAction } from '../../activities/types.js'
import type { RouteCall, RouteRuns, RouteView } from '../../core/automation/routing/following/index.js'
import type { route } from '../../workflows/route.js'
import type { Temporal } from '../client/index.js'
import { engineFailure, runFailure } from '../failures/index.js'
import { routeStart, routeWorkflowId } from './route-workflow.js'
import { signalRoute } from './signal-route.js'

/** Workflow ids of one query. */
const MAX_ASKED = 100

/** Milliseconds within which an Update is answered; it goes on behind that. */
const WAITED_MS = 60_000

const answered = async (temporal: Temporal, call: RouteCall, repository?: string): Promise<RouteView> => {
  const { principal, requestId, command, ...about } = call
  const action: RouteAction = { principal: principal.name, requestId, command }
  return temporal.client.withDeadline(Date.now() + WAITED_MS, () =>
    temporal.client.workflow.executeUpdateWithStart<typeof route, RouteView, [RouteAction]>('act', {
      args: [action],
      startWorkflowOperation: new WithStartWorkflowOperation<typeof route>('route', {
        ...routeStart(temporal, { ...about, repository }),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    }),
  )
}

/** Routes of one repository. */
export const createRouteRuns = (temporal: Temporal & { repository?: string | undefined }): RouteRuns => {
  const { repository } = temporal
  return {
    act: async (call) => {
      try {
        const view = await answered(temporal, call, repository)
        if (call.command.kind === 'cancel')
          await temporal.client.workflow.getHandle(routeWorkflowId(call.routeId)).cancel()
        return view
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError)
          throw runFailure(error as unknown as WorkflowFailedError)
        throw engineFailure(error) ?? error
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
