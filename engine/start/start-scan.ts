import { randomUUID } from 'node:crypto'
import type { FolderImportInput } from '../../activities/types.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

/**
 * Starts the scan of a deployment's folder.
 *
 * @returns false when one is under way.
 */
export const startScan = async (
  temporal: Temporal,
  {
    scan,
    principal,
    repository,
  }: Pick<FolderImportInput, 'principal' | 'repository'> & Required<Pick<FolderImportInput, 'scan'>>,
): Promise<boolean> => {
  const requestId = randomUUID()
  const started = await startRun(temporal, {
    workflow: 'folderImport',
    input: {
      ...{ importId: `scan-import-${requestId}`, principal, requestId, scan },
      ...(repository !== undefined && { repository }),
    },
    workflowId: `scan-import-${temporal.taskQueue}${repository === undefined ? '' : `-${repository}`}`,
    reuse: 'afterEnd',
    attributes: runAttributes({ chainId: 'scanImport', principal, requestId }),
    summary: `scan of ${scan.config.sourcePath}`,
  })
  return started !== undefined
}
