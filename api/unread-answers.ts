import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const MIB = 1024 ** 2

/** Bytes that wait to be read by one client, longer than for a moment, and by all. */
export type UnreadBounds = { each: number; all: number; momentMs: number }

/** A hundred downloads of a client that reads slowly wait with a MiB each. */
const BOUNDS: UnreadBounds = { each: 128 * MIB, all: 512 * MIB, momentMs: 2_000 }

/** How often connections are looked at, milliseconds: an API writes some hundred MiB a second at most. */
const LOOK_MS = 250

/** A connection with bytes that its client has not taken yet, since a moment. */
type Unread = { socket: Socket; bytes: number; since: number }

/** Who sends: users by what they authenticate with, since many may come from the address of a gateway. */
const clientOf = ({ headers, socket }: IncomingMessage): string =>
  headers.authorization ?? headers['x-authentication-token']?.toString() ?? socket.remoteAddress ?? ''

const sumOf = (unread: readonly Unread[]): number => unread.reduce((sum, { bytes }) => sum + bytes, 0)

/** Ends the connections that have waited longest until so many bytes wait at most. @returns how many do. */
const shorten = (unread: readonly Unread[], most: number): number => {
  let left = sumOf(unread)
  for (const { socket, bytes } of [...unread].sort((a, b) => a.since - b.since)) {
    if (left <= most) break
    socket.destroy()
    left -= bytes
  }
  return left
}

/**
 * Ends connections whose clients take too little of what they have asked for. What is written to a connection stays in
 * memory until its client takes it, so that whoever asks for much and reads nothing would fill it. A client that has
 * more waiting than is allowed for each, for longer than a moment, loses what has waited longest; where all together have
 * too much, those with the most lose first.
 */
export const endUnreadAnswers = (server: Server, bounds: UnreadBounds = BOUNDS, lookMs = LOOK_MS): void => {
  const connections = new Map<Socket, { client: string; since: number | undefined }>()
  const unreadByClient = (): Map<string, Unread[]> => {
    const now = performance.now()
    const found = new Map<string, Unread[]>()
    for (const [socket, connection] of connections) {
      const bytes = socket.writableLength
      connection.since = bytes === 0 ? undefined : (connection.since ?? now)
      if (connection.since === undefined) continue
      const own = found.get(connection.client) ?? []
      own.push({ socket, bytes, since: connection.since })
      found.set(connection.client, own)
    }
    return found
  }
  const look = (): void => {
    const clients = [...unreadByClient().values()]
      .map((unread) => ({ unread, bytes: sumOf(unread) }))
      .sort((a, b) => b.bytes - a.bytes)
    let excess = clients.reduce((sum, { bytes }) => sum + bytes, -bounds.all)
    for (const { unread, bytes } of clients) {
      if (excess > 0) excess -= bytes - shorten(unread, Math.max(0, bytes - excess))
      const before = performance.now() - bounds.momentMs
      shorten(
        unread.filter(({ since, socket }) => since < before && !socket.destroyed),
        bounds.each,
      )
    }
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  server.on('close', () => clearInterval(timer))
  server.on('connection', (socket: Socket) => socket.once('close', () => connections.delete(socket)))
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request
    const known = connections.get(socket)
    connections.set(socket, { client: clientOf(request), since: known?.since })
  })
}
