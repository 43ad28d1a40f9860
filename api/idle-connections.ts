import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that may wait for a request. Each is a file to the system, which gives a process so many. */
const MOST = 4_000

/**
 * Closes those connections that have waited longest for a request, when too many do. Whoever opens many, and needs no
 * login for that, would leave none to others.
 */
export const endIdleConnections = (server: Server, most = MOST): void => {
  // In the order in which they have become idle.
  const idle = new Set<Socket>()
  const wait = (socket: Socket): void => {
    if (socket.destroyed) return
    idle.add(socket)
    if (idle.size <= most) return
    const [longest] = idle
    longest?.destroy()
  }
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket))
    wait(socket)
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    response.once('close', () => wait(socket))
  })
}
