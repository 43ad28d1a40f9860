import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom } from './random.js'

/** Where the connection of a request ends. */
type Cut = 'before' | 'inRequest' | 'beforeAnswer' | 'inAnswer'
const CUTS: readonly Cut[] = ['before', 'inRequest', 'beforeAnswer', 'inAnswer']

/** As often as a client may try a request in vain, and get through all the same. */
const CUTS_IN_A_ROW = 2

export type CuttingProxy = {
  url: string
  /** How many connections it has cut, by where. */
  cuts: Map<Cut, number>
  close(): Promise<void>
}

/** Breaks off after half of a body, or at once when its length is not declared. */
const halfOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0) / 2

/** An HTTP proxy before one server, that cuts a connection in three out of ten requests. */
export const startCuttingProxy = async (target: string, seed: number): Promise<CuttingProxy> => {
  const random = seededRandom(seed)
  const cuts = new Map<Cut, number>()
  const inARow = new Map<string, number>()

  const cutOf = ({ method, url = '' }: IncomingMessage): Cut | undefined => {
    const place = `${method} ${url}`
    const before = inARow.get(place) ?? 0
    const cut =
      before < CUTS_IN_A_ROW && random() < 0.3 ? CUTS[Math.floor(random() * CUTS.length)] : undefined
    inARow.set(place, cut ? before + 1 : 0)
    if (cut) cuts.set(cut, (cuts.get(cut) ?? 0) + 1)
    return cut
  }

  const forward = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const cut = cutOf(incoming)
    const end = (): void => {
      incoming.socket.destroy()
    }
    if (cut === 'before') {
      end()
      return
    }
    const { method, headers, url } = incoming
    const outgoing = request(new URL(url ?? '/', target), { method, headers, agent: false })
    outgoing.on('error', end)
    // Whoever is gone has no use for the rest.
    answer.on('close', () => outgoing.destroy())
    outgoing.on('response', (response) => {
      if (cut === 'beforeAnswer') return void response.resume().on('end', end)
      answer.writeHead(response.statusCode ?? 502, response.headers)
      if (cut !== 'inAnswer') return void response.pipe(answer)
      let left = halfOf(response)
      response.on('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, Math.max(0, left)), () => left <= 0 && end())
        left -= chunk.byteLength
      })
      response.on('end', end)
    })
    if (cut !== 'inRequest') return void incoming.pipe(outgoing)
    let left = halfOf(incoming)
    incoming.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, Math.max(0, left)))
      left -= chunk.byteLength
      if (left <= 0) {
        outgoing.destroy()
        end()
      }
    })
    incoming.on('end', () => outgoing.end())
  }

  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
