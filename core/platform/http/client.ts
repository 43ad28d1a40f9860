import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail } from '../errors/index.js'
import type { HttpRules } from './rules.js'

export type HttpRequest = {
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  /** Called again for each redirection that repeats the body. */
  body?: () => Promise<Readable>
  /** Absent: 5. With 0 a redirection is the answer. */
  maxRedirections?: number
  signal?: AbortSignal
}

export type HttpAnswer = {
  status: number
  headers: IncomingMessage['headers']
  /** Ends with an error when the server falls silent. */
  body: Readable
}

/**
 * Sends a request to another server and passes the response, whatever its status, to `read`; its body is closed
 * afterwards. Redirections are followed, each checked by the same rules.
 *
 * @throws badRequest for an address that may not be reached, operationFailed when there is no response; the
 *   signal's reason when aborted.
 */
export type HttpClient = <Result>(
  request: HttpRequest,
  read: (answer: HttpAnswer) => Promise<Result>,
) => Promise<Result>

const MAX_REDIRECTIONS = 5

/** Milliseconds without a byte. */
const SILENCE_MS = 30_000

const REDIRECTIONS = new Set([301, 302, 303, 307, 308])

const CREDENTIALS = /^(authorization|cookie|proxy-authorization)$/i

/** Addresses are checked when the connection is made: a name may resolve to another one by then. */
const guardedLookup =
  (rules: HttpRules): LookupFunction =>
  (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '')
      try {
        for (const { address } of addresses) rules.requireReachable(host, address)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '')
      }
      const [first] = addresses
      if (options.all) return callback(null, addresses)
      callback(null, first?.address ?? '', first?.family)
    })

const parsed = (url: string): URL => {
  if (URL.canParse(url)) return new URL(url)
  throw fail('badRequest', `'${url}' is not a URL`)
}

const open = (rules: HttpRules, url: URL, request: HttpRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, headers, body, signal } = request
    // A connection of its own: a reused one would not be resolved again.
    const options: RequestOptions = { method, headers, signal, agent: false, lookup: guardedLookup(rules) }
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve)
    outgoing.setTimeout(SILENCE_MS, () =>
      outgoing.destroy(new Error(`nothing came for ${SILENCE_MS / 1000} s`)),
    )
    outgoing.on('error', reject)
    if (!body) return void outgoing.end()
    body()
      .then((content) => pipeline(content, outgoing))
      .catch(reject)
  })

/** As browsers do: a body is repeated by 307 and 308 alone, and credentials are not sent to another host. */
const redirected = (request: HttpRequest, from: URL, to: URL, status: number): HttpRequest => {
  const { body, headers, ...rest } = request
  const kept = Object.entries(headers ?? {}).filter(
    ([name]) => from.origin === to.origin || !CREDENTIALS.test(name),
  )
  const repeats = status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD'
  if (repeats) return { ...rest, url: to.href, headers: Object.fromEntries(kept), ...(body && { body }) }
  const bare = kept.filter(([name]) => !/^content-/i.test(name))
  return { ...rest, method: 'GET', url: to.href, headers: Object.fromEntries(bare) }
}

export const createHttpClient = (rules: HttpRules): HttpClient => {
  const answerTo = async (request: HttpRequest, url: URL): Promise<IncomingMessage> => {
    rules.requireAllowed(url)
    try {
      return await open(rules, url, request)
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason
      if (error instanceof Error && error.name === 'ArchivoltError') throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw fail('operationFailed', `${url.host} does not answer: ${reason}`, { cause: error })
    }
  }

  return async (first, read) => {
    let request = first
    for (let hops = 0; ; hops++) {
      const url = parsed(request.url)
      const message = await answerTo(request, url)
      const { statusCode: status = 0, headers } = message
      const { maxRedirections = MAX_REDIRECTIONS } = first
      if (!REDIRECTIONS.has(status) || !headers.location || maxRedirections === 0) {
        try {
          return await read({ status, headers, body: message })
        } finally {
          message.destroy()
        }
      }
      message.destroy()
      if (hops >= maxRedirections)
        throw fail('operationFailed', `${first.url} redirects more than ${maxRedirections} times`)
      if (!URL.canParse(headers.location, url.href))
        throw fail('operationFailed', `${url.host} redirects to an invalid URL`)
      request = redirected(request, url, new URL(headers.location, url), status)
    }
  }
}
