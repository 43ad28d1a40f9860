import type { Client, WorkflowExecutionDescription } from '@temporalio/client'
import { readPayload } from '../payloads/index.js'

/**
 * The progress of the current page of a loop; undefined when there is none: other activities send heartbeats
 * without contents, which Temporal keeps as a payload without bytes.
 */
export const heartbeatOf = async (
  client: Pick<Client, 'options'>,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
): Promise<{ position: number; total: number } | undefined> => {
  for (const { heartbeatDetails } of raw.pendingActivities ?? []) {
    const payload = heartbeatDetails?.payloads?.[0]
    const details: unknown = payload && (await readPayload(client, payload))
    if (isPlace(details)) return { position: details.position, total: details.total }
  }
  return undefined
}

const isPlace = (details: unknown): details is { position: number; total: number } =>
  typeof details === 'object' &&
  details !== null &&
  'position' in details &&
  typeof details.position === 'number' &&
  'total' in details &&
  typeof details.total === 'number'
