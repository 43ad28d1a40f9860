import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, errors } from '@elastic/elasticsearch'
import { fail } from '../../../core/platform/errors/index.js'

/** Longest time of one request, milliseconds: that of a statement of the repository. */
const REQUEST_MS = 60_000

/** Loaded where there is a search engine alone: it is 10 MiB of memory. */
const load = (): typeof import('@elastic/elasticsearch') =>
  createRequire(import.meta.url)('@elastic/elasticsearch')

/** The client's classes of errors: a value that is imported would load the client wherever this is. */
export const clientErrors = (): typeof errors => load().errors

/**
 * How long the client compiles its parser beside, with a wide margin, milliseconds. It hears nothing of a connection that is
 * closed meanwhile: that request would never end, nor the client be closed (undici, `client-h1.js`).
 */
const COMPILED_MS = 100

/** A client that is fit for its first request. */
export const openClient = async (url: string): Promise<Client> => {
  const client = new (load().Client)({ node: url, requestTimeout: REQUEST_MS, maxRetries: 2 })
  await pause(COMPILED_MS)
  return client
}

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof clientErrors().ResponseError && error.statusCode === status

/** The answer of the engine by which a request failed, also where `asking` has taken it for an absence. */
export const failureOf = (error: unknown): errors.ResponseError | undefined => {
  const { ResponseError } = clientErrors()
  if (error instanceof ResponseError) return error
  return error instanceof Error && error.cause instanceof ResponseError ? error.cause : undefined
}

/** What is no fault of a request: no answer, or one that says that another attempt may succeed. */
export const isAway = (error: unknown): boolean => {
  const { ResponseError, ElasticsearchClientError } = clientErrors()
  if (error instanceof ResponseError) return [429, 502, 503, 504].includes(error.statusCode ?? 0)
  return error instanceof ElasticsearchClientError
}

/** @throws unavailable while the search engine is away. */
export const asking = async <Result>(request: () => Promise<Result>): Promise<Result> => {
  try {
    return await request()
  } catch (cause) {
    if (!isAway(cause)) throw cause
    const { message } = cause as Error
    throw fail('unavailable', `The search engine does not answer: ${message}`, { cause })
  }
}
