import { randomUUID } from 'node:crypto'
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client'
import type { ConversionJob } from '../../activities/types.js'
import type { Principal } from '../../core/access/security/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { runFailure } from '../automation/index.js'

export type ConversionState =
  | { status: 'scheduled' | 'running' }
  | { status: 'completed'; blob: BlobValue }
  | { status: 'failed'; error: Error }

export type ConversionJobs = {
  /** Starts a conversion and gives the id by which its caller follows it. */
  start(job: ConversionJob, principal: Principal): Promise<string>
  /** Waits for the blob. @throws what the conversion failed with. */
  result(id: string): Promise<BlobValue>
  /** @throws notFound for an id that is unknown, expired, or somebody else's. */
  state(id: string, principal: Principal): Promise<ConversionState>
}

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API: a worker has taken it. */
const STARTED = 2

/** Temporal refuses more than 400 bytes, and a character has up to 3. */
const MAX_SUMMARY = 120

/** `report.docx to pdf`: what an operator reads in a list of runs. */
const summaryOf = ({ source, converter, type, format }: ConversionJob): string =>
  `${source.name ?? source.digest} to ${converter ?? type ?? format}`.slice(0, MAX_SUMMARY)

const workflowIdOf = (id: string): string => `conversion-${id}`

/** Starts and follows conversions on Temporal. */
export const createConversionJobs = ({
  client,
  taskQueue,
}: {
  client: Client
  taskQueue: string
}): ConversionJobs => {
  const blobOf = async (id: string): Promise<BlobValue> => {
    try {
      return (await client.workflow.getHandle(workflowIdOf(id)).result()) as BlobValue
    } catch (error) {
      throw error instanceof WorkflowFailedError ? runFailure(error) : error
    }
  }

  const describe = async (id: string, principal: Principal) => {
    try {
      const description = await client.workflow.getHandle(workflowIdOf(id)).describe()
      const isOwn = description.memo?.principal === principal.name || principal.isAdministrator
      if (isOwn && description.type === 'conversion') return description
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
    throw fail('notFound', `Conversion ${id} does not exist`)
  }

  return {
    start: async (job, principal) => {
      const id = randomUUID()
      await client.workflow.start('conversion', {
        taskQueue,
        workflowId: workflowIdOf(id),
        args: [job],
        memo: { principal: principal.name, requestId: job.requestId },
        staticSummary: summaryOf(job),
      })
      return id
    },
    result: blobOf,
    state: async (id, principal) => {
      const { status, raw } = await describe(id, principal)
      if (status.name === 'RUNNING') {
        const isStarted = raw.pendingActivities?.some((activity) => activity.state === STARTED)
        return { status: isStarted ? 'running' : 'scheduled' }
      }
      try {
        return { status: 'completed', blob: await blobOf(id) }
      } catch (error) {
        return { status: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
      }
    },
  }
}
