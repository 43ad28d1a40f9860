import type { ReadableStream } from 'node:stream/web'
import type { z } from 'zod'
import { CliError, EXIT } from '../failures/index.js'
import { refusalOf } from './refusal.js'
import { unreachable } from './unreachable.js'

/** A server with the credentials of a user. */
export type Login = { url: string; user: string; password: string }

export type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: { [name: string]: string }
  body?: string | ReadableStream
  /** A call with files has no time limit. */
  timeoutMs?: number | undefined
}

export type Server = {
  url: string
  /**
   * Calls a path below `/api/v1`.
   *
   * @throws RefusedError for a response other than 2xx, CliError when the server cannot be reached.
   */
  call(path: string, call?: Call): Promise<Response>
  /** The same, and reads the answer as JSON of this shape. */
  read<Shape extends z.ZodType>(shape: Shape, path: string, call?: Call): Promise<z.infer<Shape>>
}

const TIMEOUT_MS = 30_000

/** A fetch that might have to send its body again keeps all of it in memory; these two settings rule that out. */
const STREAMED = { duplex: 'half', redirect: 'error', window: null } as const

/** A server as one user calls it. Every call ends when the command is interrupted. */
export const createServer = ({ url, user, password }: Login, interrupted: AbortSignal): Server => {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

  const signalOf = (call: Call): AbortSignal => {
    const timeoutMs = 'timeoutMs' in call ? call.timeoutMs : TIMEOUT_MS
    return timeoutMs === undefined
      ? interrupted
      : AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)])
  }

  /** Every network error means an unreachable server, unless the user interrupted the call. */
  const reaching = async <Result>({ method = 'GET' }: Call, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (interrupted.aborted || error instanceof CliError) throw error
      throw unreachable(url, error, { changes: method !== 'GET' })
    }
  }

  const call: Server['call'] = (path, options = {}) =>
    reaching(options, async () => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: options.method ?? 'GET',
        headers: { authorization, ...options.headers },
        body: options.body,
        ...(typeof options.body === 'object' && STREAMED),
        signal: signalOf(options),
      })
      if (!response.ok) throw await refusalOf(response)
      return response
    })

  return {
    url,
    call,
    read: async (shape, path, options = {}) => {
      const response = await call(path, options)
      const text = await reaching(options, () => response.text())
      const parsed = shape.safeParse(jsonOf(text))
      if (parsed.success) return parsed.data
      const [issue] = parsed.error.issues
      throw new CliError(
        EXIT.failed,
        `${response.url} did not respond like an Archivolt server (${issue?.path.join('.') || 'body'}: ${issue?.message})`,
      )
    },
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The schema refuses it, with the address of the response.
    return undefined
  }
}
