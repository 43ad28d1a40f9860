import { randomUUID } from 'node:crypto'
import type { SearchIndexInput } from '../../activities/types.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

/** Starts the workflow that builds an index, unless it is running; again after one that has failed. */
export const startSearchIndex = async (
  temporal: Temporal,
  { index, repository }: Omit<SearchIndexInput, 'requestId'>,
): Promise<void> => {
  await startRun(temporal, {
    workflow: 'searchIndex',
    input: { index, requestId: randomUUID(), ...(repository !== undefined && { repository }) },
    workflowId: `search-index-${index}`,
    reuse: 'afterEnd',
    summary: `search index ${index}`,
  })
}
