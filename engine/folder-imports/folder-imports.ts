import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client'
import type { FolderImports } from '../../core/automation/folder-imports/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { runFailure } from '../failures/index.js'
import { startRun } from '../start/index.js'

const WORKFLOW = 'folderImport'

const ifThere = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    return undefined
  }
}

/** Imports of folders of the server into one repository, which are runs of Temporal for as long as it keeps them. */
export const createFolderImports = ({
  client,
  taskQueue,
  repository,
}: Temporal & { repository: string | undefined }): FolderImports => {
  const workflowId = `folder-import-${taskQueue}${repository === undefined ? '' : `-${repository}`}`
  const handle = client.workflow.getHandle(workflowId)
  const isRunning = async (): Promise<boolean> =>
    (await ifThere(() => handle.describe()))?.status.name === 'RUNNING'
  /** What is asked of a run that has ended meanwhile comes to nothing. */
  const ifRunning = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (!(await isRunning())) return false
    const done = await ifThere(async () => {
      await work()
      return true
    })
    return done ?? false
  }

  /** Why the last run failed. */
  const failureOf = async (): Promise<string[]> => {
    if ((await ifThere(() => handle.describe()))?.status.name !== 'FAILED') return []
    try {
      await handle.result()
      return []
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error
      return [`failed: ${runFailure(error).message}`]
    }
  }

  return {
    start: async (bulk, { name: principal }) => {
      const requestId = randomUUID()
      const started = await startRun(
        { client, taskQueue },
        {
          workflow: WORKFLOW,
          input: {
            ...{ importId: `folder-import-${requestId}`, principal, requestId, bulk },
            ...(repository !== undefined && { repository }),
          },
          workflowId,
          reuse: 'afterEnd',
          attributes: runAttributes({ chainId: WORKFLOW, principal, requestId }),
          summary: `import of ${bulk.inputPath}`,
        },
      )
      return started !== undefined
    },
    isRunning,
    log: async () => [
      ...((await ifThere(() => handle.query<string[]>('log'))) ?? []),
      ...(await failureOf()),
    ],
    setLogging: (isActive) => ifRunning(() => handle.signal('logging', isActive)),
    kill: () => ifRunning(() => handle.cancel()),
    settled: async (waitMs) => {
      const ended = ifThere(() => handle.result()).catch((error: unknown) => {
        // A run that fails or is stopped has settled, too: its log says so.
        if (!(error instanceof WorkflowFailedError)) throw error
      })
      await Promise.race([ended, pause(waitMs, undefined, { ref: false })])
    },
  }
}
