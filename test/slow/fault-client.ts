import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from './fault-stack.js'

const AUTHORIZATION = `Basic ${Buffer.from(`Administrator:${PASSWORD}`).toString('base64')}`

/** Long enough for several servers to come back one after the other, and for an attempt that hangs to be given up. */
const GIVE_UP_MS = 800_000
const PAUSE_MS = 50
const ANSWER_MS = 60_000

/** What a server may answer while something it needs is down. */
const isPassing = (status: number): boolean => status === 503 || status === 504

/** Tries work again until it succeeds: whoever calls servers that are being killed must. */
export const patiently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (const end = Date.now() + GIVE_UP_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

export type FaultClient = (
  method: string,
  path: string,
  request?: {
    body?: unknown
    headers?: Record<string, string>
    /** Gives any answer back, one that says that it may pass included. */
    takesAny?: boolean
  },
) => Promise<Response>

/**
 * A caller that repeats a request when the connection is lost or the answer says that it may pass. Any other
 * answer is given back, a 500 included, for the test to judge.
 *
 * @param onSilence called for each attempt that is not answered within a minute.
 */
export const createFaultClient =
  (apiUrl: string, onSilence: (call: string) => void): FaultClient =>
  (method, path, { body, headers, takesAny = false } = {}) =>
    patiently(async () => {
      const isText = typeof body === 'string'
      const signal = AbortSignal.timeout(ANSWER_MS)
      try {
        const response = await fetch(`${apiUrl}${path}`, {
          method,
          redirect: 'manual',
          signal,
          headers: {
            authorization: AUTHORIZATION,
            ...(body !== undefined && { 'content-type': isText ? 'application/yaml' : 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        })
        const text = await response.text()
        if (!takesAny && isPassing(response.status)) throw new Error(`${response.status}: ${text}`)
        return new Response(text || null, response)
      } catch (error) {
        if (signal.aborted) onSilence(`${method} ${path}`)
        throw error
      }
    })
