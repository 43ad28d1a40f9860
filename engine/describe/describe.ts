import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import type { RunDescription } from '../../core/automation/runs/index.js'
import { CHAIN_ID, DOCUMENT_ID, EVENT_NAME, PRINCIPAL } from '../attributes/index.js'
import { unreadableAmong } from '../payloads/index.js'
import { BULK } from './kinds.js'

/** A run as Temporal lists it, or describes it by itself. */
type Execution = Omit<WorkflowExecutionInfo, 'raw'>

const workflowUrl = (
  { uiUrl, namespace }: { uiUrl: string; namespace: string },
  { workflowId, runId }: Execution,
): string =>
  `${uiUrl.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}/${runId}`

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Children have no memo of their own, but search attributes. */
export const ownerOf = ({ memo, typedSearchAttributes }: Execution): string | undefined =>
  textOf(memo?.principal) ?? typedSearchAttributes.get(PRINCIPAL)

/** The run whose failed items this one retries. */
export const repairsOf = ({ memo }: Pick<Execution, 'memo'>): string | undefined => textOf(memo?.repairs)

/** Why not all of a run can be read; undefined when it can be. */
export const unreadable = ({ memo }: Pick<Execution, 'memo'>): string | undefined =>
  unreadableAmong(Object.values(memo ?? {}))

/** @param place `uiUrl`: address of the Temporal UI, when it is known. */
export const describeRun = (
  { client, uiUrl }: { client: Client; uiUrl?: string | undefined },
  info: Execution,
): RunDescription => {
  const documentId = info.typedSearchAttributes.get(DOCUMENT_ID)
  const event = info.typedSearchAttributes.get(EVENT_NAME)
  const repository = textOf(info.memo?.repository)
  const repairs = repairsOf(info)
  const schedule = textOf(info.memo?.schedule)
  const reason = unreadable(info)
  return {
    workflowId: info.workflowId,
    chainId: info.typedSearchAttributes.get(CHAIN_ID) ?? info.type,
    execution: info.type === BULK ? 'bulk' : 'workflow',
    principal: ownerOf(info) ?? '',
    status: info.status.name,
    ...(documentId !== undefined && { documentId }),
    ...(event !== undefined && { event }),
    ...(repository !== undefined && { repository }),
    ...(repairs !== undefined && { repairs }),
    ...(schedule !== undefined && { schedule }),
    ...(reason !== undefined && { unreadable: reason }),
    ...(uiUrl && { workflowUrl: workflowUrl({ uiUrl, namespace: client.options.namespace }, info) }),
    startedAt: info.startTime,
    closedAt: info.closeTime,
  }
}
