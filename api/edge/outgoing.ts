import type { ServerResponse } from 'node:http'
import type { RequestContext } from './environment.js'

/**
 * Node's own response, which the server adapter hands to each request; undefined where an app is called
 * without a server. Headers set on it are there before the handler's, which win. Setting them on the handler's
 * `Response` instead would make the adapter build a full one, body stream and all, for each request: a third
 * of what a small answer costs.
 */
export const outgoingOf = (c: RequestContext): ServerResponse | undefined =>
  (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
