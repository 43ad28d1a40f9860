import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that a connection may send before earlier ones are answered; no client in use sends more than a few. */
const MAX_WAITING = 100

type Exchange = [request: IncomingMessage, response: ServerResponse]

/**
 * Has each connection's requests done one after the other (RFC 9112 section 9.3.2 allows more to be sent meanwhile). Node
 * begins all that arrive in one piece, which are thousands, and nobody else is answered before. What is sent while some
 * wait is read later, and a connection on which too many wait is closed.
 */
export const oneAtATime = (server: Server): void => {
  const waitingOn = new WeakMap<Socket, Exchange[]>()
  const emit = server.emit.bind(server)

  const begin = (socket: Socket, [request, response]: Exchange): void => {
    response.once('close', () => next(socket))
    emit('request', request, response)
  }
  const next = (socket: Socket): void => {
    const waiting = waitingOn.get(socket)
    if (!waiting) return
    const exchange = socket.destroyed ? undefined : waiting.shift()
    if (waiting.length === 0) socket.resume()
    if (exchange) begin(socket, exchange)
    else waitingOn.delete(socket)
  }
  const come = (...exchange: Exchange): void => {
    const { socket } = exchange[0]
    const waiting = waitingOn.get(socket)
    if (!waiting) {
      waitingOn.set(socket, [])
      begin(socket, exchange)
      return
    }
    waiting.push(exchange)
    socket.pause()
    if (waiting.length > MAX_WAITING) socket.destroy()
  }

  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...given)
    come(...(given as Exchange))
    return true
  }
}
