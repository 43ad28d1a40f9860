import { z } from 'zod'
import { component } from '../openapi/index.js'

const payload = component(
  'temporalPayload',
  z.object({
    metadata: z.record(z.string(), z.base64()).optional(),
    data: z.base64().optional(),
  }),
  'A payload of Temporal, its bytes in base64',
)

export const payloads = component(
  'temporalPayloads',
  z.object({ payloads: z.array(payload).describe('In this order in the response, too') }),
  'Payloads of Temporal',
)
