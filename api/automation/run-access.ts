import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { CHAIN_ID, DOCUMENT_ID, PRINCIPAL } from '../../worker/index.js'
import type { RunExecution } from './automation.schema.js'

export type RunDescription = {
  workflowId: string
  chainId: string
  execution: RunExecution
  principal: string
  /** `RUNNING`, `COMPLETED`, `FAILED`, `CANCELLED`, `TERMINATED` or `TIMED_OUT`. */
  status: string
  /** The document that it was called on, as its caller named it: by id or by path. */
  documentId?: string
  /** Absent: the default one. */
  repository?: string
  /** The run whose failed elements it does again. */
  repairs?: string
  /** The schedule that has started it. */
  schedule?: string
  /** Where an operator sees it, when the address of the Temporal UI is known. */
  workflowUrl?: string
  startedAt: Date
  closedAt: Date | undefined
}

/** The type of the workflows of bulk commands. */
export const BULK = 'bulk'

/** A run as Temporal lists it, or describes it by itself. */
type Execution = Omit<WorkflowExecutionInfo, 'raw'>

const workflowUrl = (
  { uiUrl, namespace }: { uiUrl: string; namespace: string },
  { workflowId, runId }: Execution,
): string =>
  `${uiUrl.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}/${runId}`

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Children carry no memo of their own, but what they are found by. */
const ownerOf = ({ memo, typedSearchAttributes }: Execution): string | undefined =>
  textOf(memo?.principal) ?? typedSearchAttributes.get(PRINCIPAL)

/** Runs of chains and bulk commands on Temporal, for those who may see them. */
export type RunAccess = {
  /** @throws notFound for a run that is unknown or somebody else's. */
  own(
    workflowId: string,
    principal: Principal,
  ): Promise<{ handle: WorkflowHandle; description: WorkflowExecutionDescription }>
  describe(info: Execution): RunDescription
}

/** Workflows that run a chain; the second is one of a schedule, which becomes the first when its chain begins. */
export const CHAIN_TYPES: readonly string[] = ['chain', 'scheduledChain']

const RUN_TYPES = new Set([...CHAIN_TYPES, BULK])

/** What is said of a run that is not there, and of one of somebody else. */
export const noRun = (id: string): string => `There is no run '${id}'`

export const createRunAccess = ({
  client,
  uiUrl,
}: {
  client: Client
  uiUrl?: string | undefined
}): RunAccess => ({
  own: async (workflowId, principal) => {
    const handle = client.workflow.getHandle(workflowId)
    try {
      const description = await handle.describe()
      const isOwn = ownerOf(description) === principal.name || principal.isAdministrator
      // Conversions are followed elsewhere, and answer other questions.
      if (!isOwn || !RUN_TYPES.has(description.type)) throw fail('notFound', noRun(workflowId))
      return { handle: handle as WorkflowHandle, description }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw fail('notFound', noRun(workflowId))
      throw error
    }
  },

  describe: (info) => {
    const documentId = info.typedSearchAttributes.get(DOCUMENT_ID)
    const repository = textOf(info.memo?.repository)
    const repairs = textOf(info.memo?.repairs)
    const schedule = textOf(info.memo?.schedule)
    return {
      workflowId: info.workflowId,
      chainId: info.typedSearchAttributes.get(CHAIN_ID) ?? info.type,
      execution: info.type === BULK ? 'bulk' : 'workflow',
      principal: ownerOf(info) ?? '',
      status: info.status.name,
      ...(documentId !== undefined && { documentId }),
      ...(repository !== undefined && { repository }),
      ...(repairs !== undefined && { repairs }),
      ...(schedule !== undefined && { schedule }),
      ...(uiUrl && { workflowUrl: workflowUrl({ uiUrl, namespace: client.options.namespace }, info) }),
      startedAt: info.startTime,
      closedAt: info.closeTime,
    }
  },
})
