import type { OperationContext, RouteNote } from '../../language/index.js'
import type { Route } from './instance.js'

type Noted = Omit<RouteNote, 'workflowId' | 'workflowModelName'>

/** Takes what a route does in a dry run; undefined where nobody asks. */
export const noteOf = (
  { services }: Pick<OperationContext, 'services'>,
  { id, modelId }: Pick<Route, 'id' | 'modelId'>,
): ((note: Noted) => void) | undefined => {
  const { dryRun } = services
  if (!dryRun?.noteRoute) return undefined
  return (note) => dryRun.noteRoute?.({ workflowId: id, workflowModelName: modelId, ...note })
}
