import type { IncomingMessage, Server } from 'node:http'

/** Milliseconds for which nothing of a body may come while somebody waits for it. */
const SILENCE_MS = 60_000

type Heard = { bytes: number; at: number }

/**
 * Ends connections whose senders have fallen silent within a body: each holds what its request has taken. However
 * slowly a body comes, it may; while nobody here reads it, its sender may do nothing else than wait.
 */
export const endSilentBodies = (server: Server, silenceMs = SILENCE_MS): void => {
  const awaited = new Map<IncomingMessage, Heard>()
  const look = (): void => {
    const now = performance.now()
    for (const [request, heard] of awaited) {
      const bytes = request.socket.bytesRead
      const isAwaited = !request.complete && request.readableFlowing === true
      if (bytes !== heard.bytes || !isAwaited) awaited.set(request, { bytes, at: now })
      else if (now - heard.at >= silenceMs) request.socket.destroy()
    }
  }
  const timer = setInterval(look, silenceMs / 4)
  timer.unref()
  server.on('close', () => clearInterval(timer))
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    if (coding === undefined && (length === undefined || length === '0')) return
    awaited.set(request, { bytes: request.socket.bytesRead, at: performance.now() })
    request.once('close', () => awaited.delete(request))
  })
}
