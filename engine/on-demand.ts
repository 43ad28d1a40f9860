import type { Temporal } from './client/index.js'

/** A workflow that looks for work, and on the signal `more` once more before it ends. */
export type OnDemand = {
  workflow: string
  /** Its id after the name of the task queue. */
  id: string
}

/** Starts such a workflow, or has the one that runs look once more. */
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
