import type { Temporal } from './client/index.js'

/** A workflow that polls for work, and again on the signal `more` before it ends. */
export type OnDemand = {
  workflow: string
  /** Its id, prefixed with the name of the task queue. */
  id: string
}

/** Starts such a workflow, or signals the running one to poll again. */
export const startOnDemand = async (
  { client, taskQueue }: Temporal,
  { workflow, id }: OnDemand,
): Promise<void> => {
  await client.workflow.signalWithStart(workflow, {
    workflowId: `${taskQueue}-${id}`,
    taskQueue,
    signal: 'more',
  })
}
