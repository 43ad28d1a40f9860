import type { Payload, PayloadCodec } from '@temporalio/common'
import { WorkflowNotFoundError } from '@temporalio/common'
import type { Temporal } from '../client/index.js'
import { quoted } from './query.js'

const isPayload = (value: object): value is Payload & { data: Uint8Array } =>
  'metadata' in value && 'data' in value && value.data instanceof Uint8Array

/** All that a history holds of what clients and workers have said. */
const payloadsIn = (value: unknown): readonly Payload[] => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return isPayload(value) ? [value] : Object.values(value).flatMap(payloadsIn)
}

const decoded = async (payloads: readonly Payload[], codecs: readonly PayloadCodec[]): Promise<Payload[]> => {
  let plain = [...payloads]
  for (const codec of codecs.toReversed()) plain = await codec.decode(plain)
  return plain
}

/**
 * Reads what the open runs of the product were given and have handed on, from their histories.
 *
 * @param found is called with each value as text.
 */
export const readOpenRuns = async (
  { client, taskQueue }: Temporal,
  found: (text: string) => void,
): Promise<void> => {
  const codecs = client.options.loadedDataConverter.payloadCodecs
  const query = `ExecutionStatus = 'Running' AND TaskQueue = ${quoted(taskQueue)}`
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    try {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
      for (const { data } of await decoded(payloadsIn(history.events), codecs))
        found(Buffer.from(data ?? []).toString('latin1'))
    } catch (error) {
      // It has ended and its history is gone: it holds nothing any more.
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }
}
