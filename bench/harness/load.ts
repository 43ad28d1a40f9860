/** A generator of load in a process of its own. Argument: a `Load` as JSON; prints requests a second. */
import { Agent, request } from 'node:http'

export type Load = {
  method: string
  /** Each caller has its own addresses, and cycles through them. */
  urls: readonly string[]
  callers: number
  seconds: number
  headers: { [name: string]: string }
  /** `#` in it is replaced by a unique number. */
  body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const send = ({ method, headers, body }: Load, url: string, count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = body?.replaceAll('#', `${process.pid}-${count}`)
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }
    const sent = request(url, { agent, method, headers: { ...headers, ...length } })
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      response.once('end', () => {
        const status = response.statusCode ?? 0
        if (status >= 300) reject(new Error(`${method} ${url} answered ${status}`))
        else resolve()
      })
    })
    sent.end(text)
  })

const generate = async (load: Load): Promise<number> => {
  let count = 0
  const started = performance.now()
  const end = started + load.seconds * 1_000
  const caller = async (_: unknown, number: number): Promise<void> => {
    const own = load.urls.filter((_url, index) => index % load.callers === number % load.urls.length)
    for (let turn = 0; performance.now() < end; turn++) {
      count++
      await send(load, own[turn % own.length] ?? load.urls[0] ?? '', count)
    }
  }
  await Promise.all(Array.from({ length: load.callers }, caller))
  return (count * 1_000) / (performance.now() - started)
}

const [text] = process.argv.slice(2)
if (text) process.stdout.write(`${await generate(JSON.parse(text) as Load)}\n`)
process.exit()
