import type { TypedSearchAttributes } from '@temporalio/common'
import type { RouteRun } from '../../workflows/chain/types.js'
import { ROUTE_MODEL, runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { boundTo } from '../start/index.js'

export const routeWorkflowId = (routeId: string): string => `route/${routeId}`

/** A route as its workflow is started with. */
export type StartedRoute = {
  routeId: string
  modelId: string
  initiator: string
  repository?: string | undefined
}

/** How the workflow of a route is started. */
export const routeStart = (
  { taskQueue }: Pick<Temporal, 'taskQueue'>,
  { routeId, modelId, initiator, repository }: StartedRoute,
): {
  workflowId: string
  taskQueue: string
  args: [RouteRun]
  typedSearchAttributes: TypedSearchAttributes
  memo: { [name: string]: unknown }
  staticSummary: string
} => ({
  workflowId: routeWorkflowId(routeId),
  taskQueue,
  args: [
    boundTo({ routeId, ...(repository !== undefined && { repository }) }, { workflow: 'route', taskQueue }),
  ],
  typedSearchAttributes: runAttributes({ chainId: `route ${modelId}`, principal: initiator }).updateCopy([
    { key: ROUTE_MODEL, value: modelId },
  ]),
  memo: { principal: initiator, ...(repository !== undefined && { repository }) },
  staticSummary: modelId,
})
