import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestContext } from './environment.js'

/**
 * Node's own response, which the server adapter passes with each request; undefined where an app is called
 * without a server. Headers set on it are there before the handler's, which win. Setting them on the handler's
 * `Response` instead would make the adapter build a full one, with a body stream, for each request: a third
 * of the cost of a small response.
 */
export const outgoingOf = (c: RequestContext): ServerResponse | undefined =>
  (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing

/** Nobody reads what would be made now. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'

  constructor() {
    super('The client has closed the connection')
  }
}

/** @throws ClientGone for a call whose caller has gone. */
export const requireConnected = (c: RequestContext): void => {
  if (outgoingOf(c)?.destroyed) throw new ClientGone()
}

/** The request as Node has it; absent for a call without a connection. */
export const incomingOf = (c: RequestContext): IncomingMessage | undefined =>
  (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
