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
  for (const details of await heartbeatsOf(client, { raw }))
    if (isPlace(details)) return { position: details.position, total: details.total }
  return undefined
}

/** The progress of a conversion, from 0 to 1; undefined when its converter has not reported any. */
export const fractionOf = async (
  client: Pick<Client, 'options'>,
  description: Pick<WorkflowExecutionDescription, 'raw'>,
): Promise<number | undefined> => {
  for (const details of await heartbeatsOf(client, description))
    if (isFraction(details)) return details.fraction
  return undefined
}

const heartbeatsOf = (
  client: Pick<Client, 'options'>,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
): Promise<unknown[]> =>
  Promise.all(
    (raw.pendingActivities ?? []).flatMap(({ heartbeatDetails }) => {
      const payload = heartbeatDetails?.payloads?.[0]
      return payload ? [readPayload<unknown>(client, payload)] : []
    }),
  )

const isFraction = (details: unknown): details is { fraction: number } =>
  typeof details === 'object' &&
  details !== null &&
  'fraction' in details &&
  typeof details.fraction === 'number'

const isPlace = (details: unknown): details is { position: number; total: number } =>
  typeof details === 'object' &&
  details !== null &&
  'position' in details &&
  typeof details.position === 'number' &&
  'total' in details &&
  typeof details.total === 'number'
