import type { Client, WorkflowHandle } from '@temporalio/client'
import type { Payload } from '@temporalio/common'
import { readPayload } from '../payloads/index.js'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>
export type Event = NonNullable<History['events']>[number]
export type EventId = Event['eventId']
type Payloads = { payloads?: readonly Payload[] | null } | null | undefined

/** One execution of a run. */
export type ExecutionId = { workflowId: string; runId: string }

export const eventsOf = async (
  client: Client,
  { workflowId, runId }: ExecutionId,
): Promise<readonly Event[]> =>
  (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? []

/** The first of some payloads of a run, as it was written. */
export const argumentOf = async <Argument>(
  client: Client,
  input: Payloads,
  workflowId: string,
): Promise<Argument | undefined> => {
  const payload = input?.payloads?.[0]
  const { namespace } = client.options
  return payload && readPayload<Argument>(client, payload, { type: 'workflow', namespace, workflowId })
}
