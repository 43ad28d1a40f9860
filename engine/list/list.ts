import type { Client } from '@temporalio/client'
import type { ListedHalf, RunDescription } from '../../core/automation/runs/index.js'
import { describeRun } from '../describe/index.js'
import { queryOf } from './query.js'

/** Runs by Temporal's visibility, which lags some milliseconds behind; those that began or ended last first. */
export const listWorkflows = async (
  place: { client: Client; uiUrl?: string | undefined },
  half: ListedHalf,
): Promise<RunDescription[]> => {
  const found: RunDescription[] = []
  const query = queryOf(half)
  for await (const info of place.client.workflow.list({ query, pageSize: half.limit })) {
    found.push(describeRun(place, info))
    if (found.length >= half.limit) break
  }
  return found
}
