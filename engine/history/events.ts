import type { Client, WorkflowHandle } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>
export type Event = NonNullable<History['events']>[number]
export type EventId = Event['eventId']
type Payloads = { payloads?: readonly object[] | null } | null | undefined

/** One execution of a run. */
export type ExecutionId = { workflowId: string; runId: string }

export const eventsOf = async (
  client: Client,
  { workflowId, runId }: ExecutionId,
): Promise<readonly Event[]> =>
  (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? []

/** The first of some payloads, as it was written. */
export const argumentOf = <Argument>(input: Payloads): Argument | undefined => {
  const payload = input?.payloads?.[0]
  return payload && defaultPayloadConverter.fromPayload<Argument>(payload)
}
