import { Hono } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { createRemoteCodec } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput } from '../parse/index.js'
import { readJson } from '../rest/index.js'
import { payloads } from './codec.schema.js'

const CODEC = '/api/v1/codec'

export const codecDocs = routeGroup({ tag: 'operation', errors: [400, 404] })({
  decodePayloads: [
    'POST /codec/decode',
    'Decrypts payloads for the Temporal UI; administrators only',
    { body: payloads, 200: payloads },
  ],
  encodePayloads: [
    'POST /codec/encode',
    'Encrypts payloads for the Temporal UI; administrators only',
    { body: payloads, 200: payloads },
  ],
})

const requireAdministrator = (c: RequestContext): void => {
  if (!c.get('principal').isAdministrator)
    throw fail('forbidden', 'Only administrators may read the payloads of runs')
}

/**
 * Temporal's remote codec protocol, by which its UI shows administrators what is encrypted. It exists where
 * `ARCHIVOLT_TEMPORAL_KEY` is set; `api/cross-origin` lets the UI's origin call it.
 */
export const createCodecRoutes = ({ settings }: Pick<Platform, 'settings'>): Hono<Environment> => {
  const { encryptionKeys } = settings.temporal
  const codec = createRemoteCodec(encryptionKeys)
  const routes = new Hono<Environment>()
  for (const direction of ['decode', 'encode'] as const)
    routes.post(`${CODEC}/${direction}`, async (c) => {
      requireAdministrator(c)
      const request = parseInput(payloads, await readJson(c, settings.http.maxJsonBytes))
      if (!codec) throw fail('notFound', 'Payloads are not encrypted: ARCHIVOLT_TEMPORAL_KEY is not set')
      try {
        return c.json({ payloads: await codec[direction](request.payloads) })
      } catch (cause) {
        throw fail('badRequest', `payloads: ${(cause as Error).message}`, { cause })
      }
    })
  return routes
}
