import {
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { WebhookInput } from '../../activities/types.js'
import type { DeliveryReport, WebhookDeliveries } from '../../core/automation/webhooks/index.js'
import { fail, ifFound } from '../../core/platform/errors/index.js'
import { CHAIN_ID, DOCUMENT_ID, EVENT_NAME } from '../attributes/index.js'
import { readable, type Temporal } from '../client/index.js'
import { runFailure } from '../failures/index.js'
import { eventsOf, inputOf } from '../history/index.js'
import { deliveriesQuery } from '../list/index.js'
import { startDelivery } from './start-delivery.js'

const WORKFLOW = 'webhookDelivery'

/** `PENDING_ACTIVITY_STATE_SCHEDULED` of Temporal's API: no worker has it. */
const SCHEDULED = 1

/** The deliveries of webhooks, which are runs of Temporal for as long as it keeps them. */
export const createWebhookDeliveries = ({ client, taskQueue }: Temporal): WebhookDeliveries => {
  const failureOf = async (workflowId: string, runId: string): Promise<string> => {
    try {
      await readable(client, ({ workflow }) => workflow.getHandle(workflowId, runId).result())
      return ''
    } catch (error) {
      if (error instanceof WorkflowFailedError) return runFailure(error).message
      throw error
    }
  }

  const describe = async (id: string) => {
    try {
      const description = await client.workflow.getHandle(id).describe()
      if (description.type === WORKFLOW && description.taskQueue === taskQueue) return description
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
    throw fail('notFound', `There is no delivery ${id}`)
  }

  /** What Temporal knows of the attempts of a delivery that has not ended. */
  const attemptsOf = ({
    raw,
  }: WorkflowExecutionDescription): Pick<DeliveryReport, 'attempts' | 'nextAttemptAt' | 'failure'> => {
    const [activity] = raw.pendingActivities ?? []
    if (!activity) return {}
    const { attempt, lastFailure, scheduledTime } = activity
    const isWaiting = lastFailure != null && activity.state === SCHEDULED
    return {
      ...(attempt && { attempts: attempt - (isWaiting ? 1 : 0) }),
      ...(lastFailure?.message && { failure: lastFailure.message }),
      ...(isWaiting && scheduledTime && { nextAttemptAt: new Date(Number(scheduledTime.seconds) * 1000) }),
    }
  }

  const report = async (info: WorkflowExecutionDescription): Promise<DeliveryReport> => {
    const { workflowId, runId, status, typedSearchAttributes: attributes } = info
    const documentId = attributes.get(DOCUMENT_ID)
    return {
      id: workflowId,
      webhook: attributes.get(CHAIN_ID) ?? '',
      state: status.name as DeliveryReport['state'],
      event: attributes.get(EVENT_NAME) ?? '',
      ...(documentId !== undefined && { documentId }),
      startedAt: info.startTime,
      ...(info.closeTime && { closedAt: info.closeTime }),
      ...(status.name === 'FAILED' && { failure: await failureOf(workflowId, runId) }),
      ...(status.name === 'RUNNING' && attemptsOf(info)),
    }
  }

  /** Undefined where a later attempt has begun: what that has delivered has not failed any more. */
  const newest = async ({
    workflowId,
    runId,
  }: WorkflowExecutionInfo): Promise<WorkflowExecutionDescription | undefined> => {
    const description = await ifFound(describe(workflowId))
    return description?.runId === runId ? description : undefined
  }

  const newestOf = async (attempts: readonly WorkflowExecutionInfo[]) =>
    (await Promise.all(attempts.map(newest))).filter((one) => one !== undefined)

  return {
    list: async (filter, limit) => {
      const found: WorkflowExecutionDescription[] = []
      let attempts: WorkflowExecutionInfo[] = []
      const query = deliveriesQuery(filter, taskQueue)
      for await (const info of client.workflow.list({ query, pageSize: limit })) {
        attempts.push(info)
        if (found.length + attempts.length < limit) continue
        found.push(...(await newestOf(attempts)))
        attempts = []
        if (found.length >= limit) break
      }
      found.push(...(await newestOf(attempts)))
      return Promise.all(found.map(report))
    },

    redeliver: async (id) => {
      const { runId } = await describe(id)
      const events = await eventsOf(client, { workflowId: id, runId })
      const input = await inputOf<WebhookInput>(client, events, { workflowId: id, workflow: WORKFLOW })
      if (!(await startDelivery({ client, taskQueue }, input, { reuse: 'afterEnd' })))
        throw fail('conflict', `The delivery ${id} is under way`)
    },
  }
}
