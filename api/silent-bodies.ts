import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Longest pause within a request body that is being read, milliseconds. */
const SILENCE_MS = 60_000

/** What a connection has received: its latest request, and how many bytes had arrived at a moment. */
type Received = { request?: IncomingMessage; bytes: number; at: number }

/** Whether somebody reads a body: as it comes, or by asking for the next part, as an iterator does. */
const isRead = (request: IncomingMessage): boolean =>
  request.readableFlowing === true || (request.listenerCount('readable') > 0 && request.readableLength === 0)

const isAwaited = ({ request }: Received): boolean =>
  request !== undefined && !request.complete && isRead(request)

/**
 * Ends connections whose senders pause too long within a body, as each holds what its request has allocated. A slow
 * sender may go on; so may one whose body nobody here reads. Connections are examined periodically, so that a request
 * costs almost nothing.
 */
export const endSilentBodies = (server: Server, silenceMs = SILENCE_MS): void => {
  const connections = new Map<Socket, Received>()
  const look = (): void => {
    const now = performance.now()
    for (const [socket, received] of connections) {
      const bytes = socket.bytesRead
      if (bytes !== received.bytes || !isAwaited(received)) Object.assign(received, { bytes, at: now })
      else if (now - received.at >= silenceMs) socket.destroy()
    }
  }
  const timer = setInterval(look, silenceMs / 4)
  timer.unref()
  server.on('close', () => clearInterval(timer))
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytes: 0, at: performance.now() })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request: IncomingMessage) => {
    const received = connections.get(request.socket)
    if (received) received.request = request
  })
}
