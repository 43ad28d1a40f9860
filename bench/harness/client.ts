import { Agent, request } from 'node:http'
import { PASSWORD } from './servers.js'

export const AUTHORIZATION = `Basic ${Buffer.from(`Administrator:${PASSWORD}`).toString('base64')}`

const agent = new Agent({ keepAlive: true })

export type Answer = { status: number; body: Buffer; headers: NodeJS.Dict<string | string[]> }

/** One request on a kept-alive connection. @throws Error for a response other than 2xx and 3xx. */
export const call = (
  method: string,
  url: string,
  { body, headers = {} }: { body?: string | Buffer; headers?: { [name: string]: string } } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: {
        authorization: AUTHORIZATION,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const status = response.statusCode ?? 0
        const received = Buffer.concat(chunks)
        if (status >= 400)
          reject(new Error(`${method} ${url}: ${status} ${received.toString('utf8', 0, 500)}`))
        else resolve({ status, body: received, headers: response.headers })
      })
    })
    sent.end(body)
  })

export const json = <Entity>({ body }: Answer): Entity => JSON.parse(body.toString('utf8')) as Entity

/** Creates a document below a path and returns its id. */
export const createDocument = async (
  apiUrl: string,
  { parent, type, name }: { parent: string; type: string; name: string },
): Promise<string> => {
  const properties = { 'dc:title': name }
  const body = JSON.stringify({ 'entity-type': 'document', type, name, properties })
  return json<{ uid: string }>(await call('POST', `${apiUrl}/api/v1/path${parent}`, { body })).uid
}

export const deployChain = async (apiUrl: string, id: string, yaml: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  await call('PUT', `${apiUrl}/api/v1/contributions/chains/${id}`, { body: yaml, headers })
}

export const runChain = (
  apiUrl: string,
  id: string,
  params: { [name: string]: string } = {},
): Promise<Answer> =>
  call('POST', `${apiUrl}/api/v1/automation/${id}`, { body: JSON.stringify({ params, context: {} }) })

/** How long other processes may take to learn of a deployment, milliseconds. */
export const LEARN_MS = 1_000

/** A document to create; each `#` is a number of its own (`generate`). */
export const NUMBERED_FILE = JSON.stringify({
  'entity-type': 'document',
  type: 'File',
  name: 'made-#',
  properties: { 'dc:title': 'bench #' },
})

/** Deploys a contribution, as YAML or JSON. */
export const contribute = async (apiUrl: string, address: string, body: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  await call('PUT', `${apiUrl}/api/v1/contributions/${address}`, { body, headers })
}
