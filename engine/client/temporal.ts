import { Client, type ClientInterceptors, type ConnectionLike } from '@temporalio/client'
import { createPayloads, type PayloadPlace } from '../payloads/index.js'

/** The Temporal namespace of the product, and the task queue of its workers. */
export type Temporal = { client: Client; taskQueue: string }

/** What a client of Temporal is built from; a platform has it. */
export type TemporalPlace = PayloadPlace & { settings: { temporal: { namespace: string } } }

/** The same on an existing connection, such as that of a worker. */
export const temporalOn = (
  connection: ConnectionLike,
  place: TemporalPlace,
  { interceptors = {} }: { interceptors?: ClientInterceptors } = {},
): Temporal => {
  const { namespace, taskQueue } = place.settings.temporal
  const dataConverter = createPayloads(place)
  return { client: new Client({ connection, namespace, interceptors, dataConverter }), taskQueue }
}
