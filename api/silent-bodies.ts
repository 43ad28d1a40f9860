import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds for which nothing of a body may come while somebody waits for it. */
const SILENCE_MS = 60_000

/** What a connection has been heard of: its last request, and how much had come of it when. */
type Heard = { request?: IncomingMessage; bytes: number; at: number }

const isAwaited = ({ request }: Heard): boolean =>
  request !== undefined && !request.complete && request.readableFlowing === true

/**
 * Ends connections whose senders have fallen silent within a body: each holds what its request has taken. However
 * slowly a body comes, it may; while nobody here reads it, its sender may do nothing else than wait. A request itself
 * costs no more than to be noted: connections are looked at now and then.
 */
export const endSilentBodies = (server: Server, silenceMs = SILENCE_MS): void => {
  const connections = new Map<Socket, Heard>()
  const look = (): void => {
    const now = performance.now()
    for (const [socket, heard] of connections) {
      const bytes = socket.bytesRead
      if (bytes !== heard.bytes || !isAwaited(heard)) Object.assign(heard, { bytes, at: now })
      else if (now - heard.at >= silenceMs) socket.destroy()
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
    const heard = connections.get(request.socket)
    if (heard) heard.request = request
  })
}
