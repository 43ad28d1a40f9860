import type { Client } from '@temporalio/client'
import type { Payload, SerializationContext } from '@temporalio/common'

/** The value of a payload that was read from a history or a description, as the client's own calls return theirs. */
export const readPayload = async <Value>(
  { options }: Pick<Client, 'options'>,
  payload: Payload,
  context?: SerializationContext,
): Promise<Value> => {
  const { payloadCodecs, payloadConverter } = options.loadedDataConverter
  let payloads = [payload]
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads, context)
  return payloadConverter.fromPayload<Value>(payloads[0] ?? payload)
}
