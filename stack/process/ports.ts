import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export const LOOPBACK = '127.0.0.1'

/** Binds `port` (0: any) on `host` for a moment; the port that it got, or undefined when it is taken. */
const tryPort = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return resolve(undefined)
      reject(error)
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })

export const isPortFree = async (port: number, host: string = LOOPBACK): Promise<boolean> =>
  (await tryPort(port, host)) !== undefined

export type PortChoice = { port: number; isMoved: boolean }

/** The preferred loopback port, or any free one when that is taken. `avoid` holds ports promised to others. */
export const choosePort = async (
  preferred: number,
  avoid: ReadonlySet<number> = new Set(),
): Promise<PortChoice> => {
  if (!avoid.has(preferred) && (await isPortFree(preferred))) return { port: preferred, isMoved: false }
  for (;;) {
    const port = await tryPort(0, LOOPBACK)
    if (port !== undefined && !avoid.has(port)) return { port, isMoved: true }
  }
}

type PortRange = { from: number; to: number }

/** Below the ports that systems give to outgoing connections, one of which could take it before it is used. */
const OWN_PORTS: PortRange = { from: 10_000, to: 28_000 }

/** Ports that `freePort` does not give to others while their server is down for a moment. */
export const RESTARTED_PORTS: PortRange = { from: OWN_PORTS.to, to: 32_000 }

/** Any free loopback port, for a server that is started later; from `RESTARTED_PORTS` for one that is started again. */
export const freePort = async (range: PortRange = OWN_PORTS): Promise<number> =>
  (await tryPort(randomInt(range.from, range.to), LOOPBACK)) ?? freePort(range)
