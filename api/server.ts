import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Environment } from './edge/index.js'
import { endSilentBodies } from './silent-bodies.js'

export type ApiServer = {
  port: number
  /** Accepts no more connections, waits for running requests, and aborts them at the deadline. */
  stop(deadlineMs: number): Promise<void>
}

/** Large files take longer than Node's five minutes; stalled senders are ended by `endSilentBodies`. */
const NO_REQUEST_TIMEOUT = 0

/** Interval of closing idle connections while the server stops, milliseconds. */
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

/** Serves an app over HTTP. Port 0 selects a free one. */
export const startServer = async (
  app: Hono<Environment>,
  place: { host: string; port: number },
): Promise<ApiServer> => {
  // Without options for TLS or HTTP/2 the adapter creates a plain HTTP server.
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { requestTimeout: NO_REQUEST_TIMEOUT, keepAliveTimeout: 65_000 },
  }) as Server
  endSilentBodies(server)
  const port = await listen(server, place)
  return {
    port,
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
        // Node closes connections that are idle now; one whose request ends later would be kept alive.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
        server.close(() => {
          clearTimeout(deadline)
          clearInterval(idle)
          resolve()
        })
      }),
  }
}
