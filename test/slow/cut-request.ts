import { type OutgoingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import { AUTHORIZATION } from './own-servers.js'

export type CutRequest = {
  headers: OutgoingHttpHeaders
  /** What it sends, and how many bytes that is. */
  body: { length: number; parts: Iterable<Buffer> }
  /** Ends the connection once so many bytes are written; absent: the request is sent whole. */
  cutAfter?: number
}

/** Posts to an address. @returns the status and body of the answer; undefined when the connection has ended before it. */
export const post = (
  url: string,
  { headers, body, cutAfter = Number.POSITIVE_INFINITY }: CutRequest,
): Promise<{ status: number; text: string } | undefined> =>
  new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: { authorization: AUTHORIZATION, 'Content-Length': body.length, ...headers },
    })
    sent.on('close', () => resolve(undefined))
    sent.on('error', () => resolve(undefined))
    sent.on('response', async (response) => {
      let text = ''
      try {
        for await (const part of response.setEncoding('utf8')) text += part
        resolve({ status: response.statusCode ?? 0, text })
      } catch {
        resolve(undefined)
      }
    })
    function* parts(): Generator<Buffer> {
      let written = 0
      for (const part of body.parts) {
        if (written >= cutAfter) return void sent.destroy()
        yield part
        written += part.byteLength
      }
    }
    Readable.from(parts()).pipe(sent)
  })
