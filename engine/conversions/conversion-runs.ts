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
import { conversionAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { runFailure } from '../failures/index.js'
import { startRun } from '../start/index.js'

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API: a worker has started it. */
const STARTED = 2

/** `report.docx to pdf` */
const summaryOf = ({ source, converter, type, format }: ConversionJob): string =>
  `${source.name ?? source.digest} to ${converter ?? type ?? format}`

const workflowIdOf = (id: string): string => `conversion-${id}`

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

/** Starts and follows conversions on Temporal. */
export const createConversionRuns = ({
  quota,
  ...temporal
}: Temporal & { quota?: ConversionQuota }): ConversionRuns => {
  const blobOf = async (id: string): Promise<BlobValue> => {
    try {
      return (await temporal.client.workflow.getHandle(workflowIdOf(id)).result()) as BlobValue
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
      const takeBack = await quota?.enter(principal, workflowId)
      try {
        await startRun(temporal, {
          workflow: 'conversion',
          input: { ...job, owner: { name: principal.name, isAdministrator: principal.isAdministrator } },
          workflowId,
          reuse: 'never',
          attributes: conversionAttributes(principal.name),
          memo: { principal: principal.name, requestId: job.requestId },
          summary: summaryOf(job),
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
      const { status, raw } = await describe(temporal, id, principal)
      if (status.name !== 'RUNNING') return endedState(id)
      const isStarted = raw.pendingActivities?.some((activity) => activity.state === STARTED)
      return { status: isStarted ? 'running' : 'scheduled' }
    },
  }
}
