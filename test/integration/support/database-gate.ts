import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** How a server greets who connects: not at all, as one that is starting, or by cutting the connection. */
type Greeting = 'none' | 'starting' | 'cut'

const field = (name: string, value: string): Buffer => Buffer.from(`${name}${value}\0`)

/** What Postgres says before it takes connections. */
const STARTING = ((): Buffer => {
  const fields = [
    field('S', 'FATAL'),
    field('V', 'FATAL'),
    field('C', '57P03'),
    field('M', 'the database system is starting up'),
    Buffer.from('\0'),
  ]
  const body = Buffer.concat(fields)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
})()

export type DatabaseGate = {
  /** Address of the database by way of the gate. */
  url: string
  greet(how: Greeting): void
  /** Lets so many bytes of answers pass, then cuts the connection whose answer goes on. */
  cutAfter(bytes: number): void
  cut(): void
  /** Nothing passes any more, and nobody is notified: packets of connections that there are now vanish. */
  stall(): void
  /** The same for those that listen to notifications alone. */
  stallListening(): void
  close(): void
}

/**
 * Stands before a database server, and does to its connections what becomes of them when it is killed.
 *
 * @param random chooses how a connection is cut: reset, closed, or ended in order.
 */
export const openDatabaseGate = async (databaseUrl: string, random: () => number): Promise<DatabaseGate> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const listening = new Set<Socket>()
  let greeting: Greeting = 'none'
  let left = Number.POSITIVE_INFINITY

  const end = (socket: Socket): void => {
    const way = random()
    if (way < 0.3) socket.resetAndDestroy()
    else if (way < 0.6) socket.destroy()
    else socket.end()
  }

  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }

  const stallOne = (socket: Socket): void => {
    socket.removeAllListeners('data').pause()
  }

  const pass = (incoming: Socket): void => {
    const outgoing = connect(Number(target.port), target.hostname)
    keep(outgoing)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
    incoming.on('data', (bytes) => {
      if (bytes.includes('listen "')) for (const socket of [incoming, outgoing]) listening.add(socket)
      outgoing.write(bytes)
    })
    outgoing.on('data', (bytes) => {
      if (bytes.length <= left) {
        left -= bytes.length
        incoming.write(bytes)
        return
      }
      incoming.write(bytes.subarray(0, left))
      left = Number.POSITIVE_INFINITY
      end(incoming)
      outgoing.destroy()
    })
  }

  const gate: Server = createServer((incoming) => {
    keep(incoming)
    if (greeting === 'cut') return end(incoming)
    if (greeting === 'none') return pass(incoming)
    incoming.once('data', () => incoming.end(STARTING))
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`
  return {
    url: url.href,
    greet: (how) => {
      greeting = how
    },
    cutAfter: (bytes) => {
      left = bytes
    },
    cut: () => {
      for (const socket of sockets) end(socket)
    },
    stall: () => {
      for (const socket of sockets) stallOne(socket)
    },
    stallListening: () => {
      for (const socket of listening) stallOne(socket)
      listening.clear()
    },
    close: () => {
      gate.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
