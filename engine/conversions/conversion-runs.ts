import { randomUUID } from 'node:crypto'
import {
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import {
  type ConversionJob,
  type ConversionQuota,
  type ConversionRuns,
  type ConversionState,
  maySee,
} from '../../core/automation/runs/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { fractionOf } from '../describe/index.js'
import { runFailure } from '../failures/index.js'
import { startRun } from '../start/index.js'
import { workflowIdOf } from './ids.js'
import { listConversions } from './list.js'

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API, and the same of a workflow task: a worker has started it. */
const STARTED = 2

/** A short conversion is a part of the workflow task, a longer one an activity. */
const isUnderWay = ({
  pendingActivities,
  pendingWorkflowTask,
}: WorkflowExecutionDescription['raw']): boolean =>
  pendingWorkflowTask?.state === STARTED || (pendingActivities ?? []).some(({ state }) => state === STARTED)

/** `COMPLETED`, `FAILED` and `TIMED_OUT` are left: they have a result, or a reason. */
const CANCELLED: readonly string[] = ['CANCELLED', 'TERMINATED']

/** @throws notFound for an id that is unknown, expired, or belongs to another user. */
const describe = async (
  { client }: Temporal,
  id: string,
  principal: Principal,
): Promise<WorkflowExecutionDescription> => {
  try {
    const description = await client.workflow.getHandle(workflowIdOf(id)).describe()
    const owner = description.memo?.principal as string | undefined
    if (maySee(principal, owner) && description.type === 'conversion') return description
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  throw fail('notFound', `Conversion ${id} does not exist`)
}

/** `file` and `target` are for lists, and of the summary `report.docx to pdf`. */
const memoOf = ({ source, converter, type, format, requestId }: ConversionJob, principal: Principal) => ({
  principal: principal.name,
  requestId,
  file: source.name ?? source.digest,
  target: converter ?? type ?? format ?? '',
})

/** Starts and follows conversions on Temporal. */
export const createConversionRuns = ({
  quota,
  ...temporal
}: Temporal & { quota?: ConversionQuota }): ConversionRuns => {
  const handleOf = (id: string) => temporal.client.workflow.getHandle(workflowIdOf(id))

  const blobOf = async (id: string): Promise<BlobValue> => {
    try {
      return (await handleOf(id).result()) as BlobValue
    } catch (error) {
      throw error instanceof WorkflowFailedError ? runFailure(error) : error
    }
  }

  const endedState = async (id: string): Promise<ConversionState> => {
    try {
      return { status: 'completed', blob: await blobOf(id) }
    } catch (error) {
      return { status: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  return {
    start: async (job, principal) => {
      const id = randomUUID()
      const workflowId = workflowIdOf(id)
      const memo = memoOf(job, principal)
      const takeBack = await quota?.enter(principal, workflowId)
      try {
        await startRun(temporal, {
          workflow: 'conversion',
          input: {
            ...job,
            owner: { name: principal.name, isAdministrator: principal.isAdministrator },
            beginsLocally: true,
          },
          workflowId,
          reuse: 'never',
          attributes: runAttributes({ ...job, chainId: memo.target, principal: principal.name }),
          memo,
          summary: `${memo.file} to ${memo.target}`,
        })
      } catch (error) {
        takeBack?.()
        throw error
      }
      return id
    },
    result: async (id, principal) => {
      try {
        return await blobOf(id)
      } finally {
        quota?.leave(principal, workflowIdOf(id))
      }
    },
    state: async (id, principal) => {
      const description = await describe(temporal, id, principal)
      const { status, raw } = description
      if (CANCELLED.includes(status.name)) return { status: 'cancelled' }
      if (status.name !== 'RUNNING') return endedState(id)
      const progress = await fractionOf(temporal.client, description)
      return {
        status: isUnderWay(raw) ? 'running' : 'scheduled',
        ...(progress !== undefined && { progress }),
      }
    },
    list: (principal, limit) => listConversions(temporal, principal, limit),
    cancel: async (id, principal) => {
      const { status } = await describe(temporal, id, principal)
      if (status.name !== 'RUNNING') throw fail('conflict', `Conversion ${id} has ended already`)
      await handleOf(id).cancel()
    },
  }
}
