import { WorkflowNotFoundError } from '@temporalio/client'
import type { MediaRuns, MediaWork } from '../../core/content/media/index.js'
import { usingStorages } from '../../core/platform/telemetry/index.js'
import type { Temporal } from '../client/index.js'
import { fractionOf } from '../describe/index.js'
import { mediaRunIdOf } from '../start/index.js'

/** Timeout of the query to a worker, milliseconds. */
const QUERY_MS = 2_000

const percentOf = async ({ client }: Temporal, workflowId: string): Promise<number | undefined> => {
  try {
    const handle = client.workflow.getHandle(workflowId)
    return await usingStorages(() =>
      client.withDeadline(Date.now() + QUERY_MS, () => handle.query<number | undefined>('progress')),
    )
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error
    // No worker responds: how far it is, is not known.
    return undefined
  }
}

/** @param repository absent: the default one. */
export const createMediaRuns = ({
  repository,
  ...temporal
}: Temporal & { repository?: string | undefined }): MediaRuns => ({
  progress: async (work: MediaWork) => {
    const workflowId = mediaRunIdOf({ ...work, ...(repository !== undefined && { repository }) })
    try {
      const description = await temporal.client.workflow.getHandle(workflowId).describe()
      if (description.status.name !== 'RUNNING') return undefined
      const percent = await percentOf(temporal, workflowId)
      // Of parts the run knows; of a whole film the step that is under way.
      const fraction = percent === undefined ? await fractionOf(temporal.client, description) : percent / 100
      return fraction === undefined ? {} : { fraction }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined
      throw error
    }
  },
})
