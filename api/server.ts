import type { Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import { sendDirect } from './download/index.js'
import type { Environment } from './edge/index.js'
import { endIdleConnections } from './idle-connections.js'
import { oneAtATime } from './one-at-a-time.js'
import { endSilentBodies } from './silent-bodies.js'
import { endUnreadAnswers } from './unread-answers.js'

export type ApiServer = {
  port: number
  /**
   * Accepts no more connections, ends each of those that there are with its next response, waits for running
   * requests, and aborts them at the deadline.
   */
  stop(deadlineMs: number): Promise<void>
}

/** Large files take longer than Node's five minutes; stalled senders are ended by `endSilentBodies`. */
const NO_REQUEST_TIMEOUT = 0

/** How long a client may take for the head of a request, milliseconds: without it that is without limit, too. */
const HEAD_MS = 30_000

/** How long a client may still send a request on a connection that it keeps, milliseconds. */
const LAST_REQUEST_MS = 3_000

/** Interval of looking for connections that have become idle after that, milliseconds. */
const IDLE_MS = 50

const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

/**
 * A connection that is closed while it is idle may carry a request by then, which its client sees reset. So clients
 * receive a response that says so, and those that send nothing have some time.
 */
const stop = async (
  server: Server,
  running: ReadonlySet<ServerResponse>,
  deadlineMs: number,
): Promise<void> => {
  const endWith = (response: ServerResponse): void => {
    response.shouldKeepAlive = false
  }
  // Of those whose headers have been sent, the connection is closed when it is idle.
  running.forEach(endWith)
  server.prependListener('request', (_, response) => endWith(response))
  // Of the plain server: that of HTTP closes idle connections as well.
  const closed = new Promise<void>((resolve) => {
    Listener.prototype.close.call(server, () => resolve())
  })
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
  await Promise.race([closed, pause(Math.min(LAST_REQUEST_MS, deadlineMs))])
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
  await closed
  clearTimeout(deadline)
  clearInterval(idle)
}

/** The responses of a server that have not ended. */
const followResponses = (server: Server): ReadonlySet<ServerResponse> => {
  const running = new Set<ServerResponse>()
  server.prependListener('request', (_, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
  })
  return running
}

/** Serves an app over HTTP. Port 0 selects a free one. */
export const startServer = async (
  app: Hono<Environment>,
  place: { host: string; port: number },
  { headMs = HEAD_MS }: { headMs?: number } = {},
): Promise<ApiServer> => {
  // Without options for TLS or HTTP/2 the adapter creates a plain HTTP server.
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const response = await app.fetch(request, env)
      const isSent = await sendDirect((env as HttpBindings).outgoing, response)
      return isSent ? RESPONSE_ALREADY_SENT : response
    },
    serverOptions: {
      requestTimeout: NO_REQUEST_TIMEOUT,
      headersTimeout: headMs,
      connectionsCheckingInterval: headMs / 2,
      keepAliveTimeout: 65_000,
    },
  }) as Server
  oneAtATime(server)
  endIdleConnections(server)
  endSilentBodies(server)
  endUnreadAnswers(server)
  const running = followResponses(server)
  const port = await listen(server, place)
  return { port, stop: (deadlineMs) => stop(server, running, deadlineMs) }
}
