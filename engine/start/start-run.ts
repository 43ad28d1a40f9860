import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { TypedSearchAttributes } from '@temporalio/common'
import type {
  BlobCollectionInput,
  BulkInput,
  EventPageInput,
  FolderImportInput,
  MediaInput,
  SearchIndexInput,
  SearchSubtreeInput,
  WebhookInput,
} from '../../activities/types.js'
import type { ConversionJob } from '../../core/automation/runs/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'
import type { Temporal } from '../client/index.js'
import { boundTo } from './bound-to.js'

type Work =
  | { workflow: 'chain'; input: ChainRun }
  | { workflow: 'bulk'; input: BulkInput }
  | { workflow: 'conversion'; input: ConversionJob }
  | { workflow: 'searchIndex'; input: SearchIndexInput }
  | { workflow: 'searchSubtree'; input: SearchSubtreeInput }
  | { workflow: 'webhookDelivery'; input: WebhookInput }
  | { workflow: 'media'; input: MediaInput }
  | { workflow: 'blobCollection'; input: BlobCollectionInput }
  | { workflow: 'eventPage'; input: EventPageInput }
  | { workflow: 'folderImport'; input: FolderImportInput }

/** When an id that was used before may be used again; that of a run that goes on never may. */
const REUSE = {
  never: 'REJECT_DUPLICATE',
  afterFailure: 'ALLOW_DUPLICATE_FAILED_ONLY',
  afterEnd: 'ALLOW_DUPLICATE',
} as const

/**
 * How long a task of a run may stay with the process that began the run, milliseconds: others go on with it once that
 * process is dead. A step that takes longer has its task renewed.
 */
const EAGER_TASK_TIMEOUT = 2_000

export type RunToStart = Work & {
  workflowId: string
  reuse: keyof typeof REUSE
  attributes?: TypedSearchAttributes
  memo?: { [name: string]: unknown } | undefined
  /** The summary in Temporal's list of runs. */
  summary?: string
}

/**
 * Of 1 to 5, where 3 is the default: many of these may begin at once, for events of one user, and nobody waits for them.
 * Their steps have it, too.
 */
const PRIORITY: { [workflow in Work['workflow']]?: number } = { webhookDelivery: 5 }

/** Temporal refuses summaries of more than 400 bytes, and a character has up to 3. */
const MAX_SUMMARY = 120

/**
 * Starts a workflow that callers may follow: every run of a chain, a bulk command or a conversion.
 *
 * @param temporal `isEager`: the client is that of a worker in this process, which may take the first task at once.
 * @returns whether that worker has taken it; undefined when the id is in use, so that nothing was started.
 */
export const startRun = async (
  { client, taskQueue, isEager = false }: Temporal & { isEager?: boolean },
  { workflow, input, workflowId, reuse, attributes, memo, summary }: RunToStart,
): Promise<{ isTaken: boolean } | undefined> => {
  try {
    const handle = await client.workflow.start(workflow, {
      taskQueue,
      workflowId,
      args: [boundTo(input, { workflow, taskQueue })],
      requestEagerStart: isEager,
      priority: { priorityKey: PRIORITY[workflow] },
      ...(isEager && { workflowTaskTimeout: EAGER_TASK_TIMEOUT }),
      workflowIdReusePolicy: REUSE[reuse],
      workflowIdConflictPolicy: 'FAIL',
      ...(attributes && { typedSearchAttributes: attributes }),
      ...(memo && { memo }),
      ...(summary !== undefined && { staticSummary: summary.slice(0, MAX_SUMMARY) }),
    })
    return { isTaken: handle.eagerlyStarted }
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined
    throw error
  }
}
