import { type ListedHalf, mayBeBulk, type RunDescription } from '../../core/automation/runs/index.js'
import { readable, type Temporal } from '../client/index.js'
import { BULK, describeRun } from '../describe/index.js'
import { queryOf } from './query.js'

const listBy = async (
  place: Temporal & { uiUrl?: string | undefined },
  half: ListedHalf,
): Promise<RunDescription[]> => {
  const found: RunDescription[] = []
  const query = queryOf(half, place.taskQueue)
  for await (const info of place.client.workflow.list({ query, pageSize: half.limit })) {
    // Whoever reaches Temporal may have started one that is no command.
    if (info.type !== BULK || mayBeBulk(info.workflowId)) found.push(describeRun(place, info))
    if (found.length >= half.limit) break
  }
  return found
}

/** Runs by Temporal's visibility, which lags some milliseconds behind; those that began or ended last first. */
export const listWorkflows = (
  place: Temporal & { uiUrl?: string | undefined },
  half: ListedHalf,
): Promise<RunDescription[]> => readable(place.client, (client) => listBy({ ...place, client }, half))
