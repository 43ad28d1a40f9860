import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'
import { parseJson, readText } from '../rest/index.js'

/** Longest body of a search, bytes. */
const MAX_BYTES = 1_000_000

/** The bytes of a GET as they come in; absent in tests without a server. */
type Connection = { incoming?: AsyncIterable<Buffer> } | undefined

/** The body of a GET, which no `Request` has: it is read from the connection. */
const readTextOfGet = async (c: RequestContext): Promise<string> => {
  const announced = c.req.header('Content-Length') ?? c.req.header('Transfer-Encoding')
  const { incoming } = (c.env as Connection) ?? {}
  if (announced === undefined || announced === '0' || !incoming) return ''
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming) {
    length += part.length
    if (length > MAX_BYTES) throw fail('tooLarge', `The body of a search has at most ${MAX_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * The body of a search, whatever its type says: clients send JSON as a form, too, and with GET (nxql-search.md §9.7).
 *
 * @returns undefined without one.
 * @throws badRequest for what is no JSON, tooLarge.
 */
export const bodyOf = async (c: RequestContext): Promise<unknown> => {
  const text = c.req.method === 'GET' ? await readTextOfGet(c) : await readText(c, MAX_BYTES)
  if (text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch (cause) {
    throw fail('badRequest', `Unable to read the payload: ${(cause as Error).message}`, { cause })
  }
}
