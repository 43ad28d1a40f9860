import { randomUUID } from 'node:crypto'
import type { SearchSubtreeInput } from '../../activities/types.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

/** Starts the workflow that indexes a subtree after an event, unless it is running; again after one that has ended. */
export const startSearchSubtree = async (
  temporal: Temporal,
  input: Omit<SearchSubtreeInput, 'requestId'>,
): Promise<void> => {
  const { root, position } = input.task
  await startRun(temporal, {
    workflow: 'searchSubtree',
    input: { ...input, requestId: randomUUID() },
    workflowId: `search-subtree-${input.index}-${root}-${position.transaction}-${position.id}`,
    reuse: 'afterEnd',
    summary: `search subtree of ${root}`,
  })
}
