import type { RequestContext } from '../../edge/index.js'
import type { AutomationDependencies } from '../dependencies.js'

/** Address of the status of a run that a call of `id` has started. */
export const statusAddress = (
  { restRootOf }: Pick<AutomationDependencies, 'restRootOf'>,
  c: RequestContext,
  { id, workflowId }: { id: string; workflowId: string },
): string =>
  `${restRootOf(c)}/automation/${encodeURIComponent(id)}/@async/${encodeURIComponent(workflowId)}/status`
