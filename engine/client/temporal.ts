import { Client, type ClientInterceptors, type ConnectionLike } from '@temporalio/client'
import type { Settings } from '../../core/platform/settings/index.js'

/** The Temporal namespace of the product, and the task queue of its workers. */
export type Temporal = { client: Client; taskQueue: string }

/** The same on an existing connection, such as that of a worker. */
export const temporalOn = (
  connection: ConnectionLike,
  { namespace, taskQueue }: Pick<Settings['temporal'], 'namespace' | 'taskQueue'>,
  { interceptors = {} }: { interceptors?: ClientInterceptors } = {},
): Temporal => ({ client: new Client({ connection, namespace, interceptors }), taskQueue })
