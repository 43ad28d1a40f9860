import { Readable } from 'node:stream'
import { createBlobValue, isMimeType } from '../../files/blobs/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Value } from '../language/index.js'
import type { HostCaller } from './host-functions.js'

/** What an expression or a script says of a request; each part is checked here. */
export type HttpCall = {
  user?: unknown
  password?: unknown
  method: unknown
  url: unknown
  data?: unknown
  headers?: unknown
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const headersOf = ({ user, password, headers, data }: HttpCall): Record<string, string> => {
  if (headers !== undefined && headers !== null && (typeof headers !== 'object' || Array.isArray(headers)))
    throw fail('badRequest', 'HTTP: headers must be a map')
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const)
  const credentials = Buffer.from(`${String(user)}:${String(password ?? '')}`).toString('base64')
  return {
    ...(typeof data === 'object' && data !== null && { 'content-type': 'application/json' }),
    ...Object.fromEntries(given),
    ...(typeof user === 'string' && user !== '' && { authorization: `Basic ${credentials}` }),
  }
}

/**
 * Sends a request to another server, one that the deployment allows (`HTTP` of reference: automation.md §7), and keeps the
 * body of its answer as a file.
 *
 * @throws badRequest for a request that is wrong or not allowed, operationFailed for an answer of status 400 or
 *   above.
 */
export const httpCall = async ({ services, signal }: HostCaller, request: HttpCall): Promise<Value> => {
  const { url, data } = request
  const method = String(request.method).toUpperCase()
  if (typeof url !== 'string') throw fail('badRequest', 'HTTP: the address must be a text')
  if (!METHODS.includes(method))
    throw fail('badRequest', `HTTP: '${method}' is none of ${METHODS.join(', ')}`)
  const text =
    data === undefined || data === null ? undefined : typeof data === 'string' ? data : JSON.stringify(data)
  const headers = headersOf(request)
  return services.http(
    {
      method,
      url,
      signal,
      headers:
        text === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(text)) },
      ...(text !== undefined && { body: async () => Readable.from([Buffer.from(text)]) }),
    },
    async (answer) => {
      if (answer.status >= 400)
        throw fail('operationFailed', `HTTP: ${url} answers with status ${answer.status}`)
      const maxLength = services.limits.fileBytes
      const stored = await services.blobs.write(answer.body, { signal, maxLength })
      const type = answer.headers['content-type']?.split(';')[0]
      const mimeType = type && isMimeType(type) ? type : undefined
      return { type: 'blob', blob: createBlobValue({ stored, name: 'response', mimeType }) }
    },
  )
}
