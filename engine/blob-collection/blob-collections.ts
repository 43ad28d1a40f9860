import { WorkflowFailedError } from '@temporalio/client'
import type { BlobCollections, Collected } from '../../core/files/blobs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Temporal } from '../client/index.js'
import { runFailure } from '../failures/index.js'
import { workflowQuery } from '../list/index.js'
import { startRun } from '../start/index.js'

const WORKFLOW = 'blobCollection'

/** Collections of files that nothing names, which are runs of Temporal for as long as it keeps them. */
export const createBlobCollections = ({ client, taskQueue }: Temporal): BlobCollections => {
  const latest = async () => {
    const query = workflowQuery(WORKFLOW, taskQueue)
    for await (const info of client.workflow.list({ query, pageSize: 1 })) return info
    return undefined
  }

  return {
    start: async (input) => {
      const isUnderWay = (await latest())?.status.name === 'RUNNING'
      const started =
        !isUnderWay &&
        (await startRun(
          { client, taskQueue },
          { workflow: WORKFLOW, input, workflowId: `blob-collection-${taskQueue}`, reuse: 'afterEnd' },
        ))
      if (!started) throw fail('conflict', 'A collection of files that nothing names is in progress')
    },

    latest: async () => {
      const info = await latest()
      if (!info) return undefined
      const report = {
        state: info.status.name,
        startedAt: info.startTime,
        ...(info.closeTime && { closedAt: info.closeTime }),
      }
      if (report.state === 'RUNNING') return report
      try {
        const handle = client.workflow.getHandle(info.workflowId, info.runId)
        return { ...report, collected: (await handle.result()) as Collected }
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error
        return { ...report, failure: runFailure(error).message }
      }
    },
  }
}
