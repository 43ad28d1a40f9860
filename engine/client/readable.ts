import { Client } from '@temporalio/client'
import { lenient, orLeniently } from '../payloads/index.js'

const lenientClient = ({ connection, options }: Client): Client =>
  new Client({
    connection,
    namespace: options.namespace,
    interceptors: options.interceptors,
    dataConverter: { payloadCodecs: options.loadedDataConverter.payloadCodecs.map(lenient) },
  })

/**
 * Reads what Temporal knows of runs, also of those that are encrypted with a key that is not configured any more: their
 * states, times and attributes are readable, and no single one of them hides the others.
 *
 * @param read is called again, with a client that reads on, where such a key is missing.
 */
export const readable = <Result>(
  client: Client,
  read: (client: Client) => Promise<Result>,
): Promise<Result> =>
  orLeniently(
    () => read(client),
    () => read(lenientClient(client)),
  )
