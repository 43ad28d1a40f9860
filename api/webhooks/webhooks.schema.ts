import { z } from 'zod'
import { RUN_STATES } from '../../core/automation/runs/index.js'
import { component } from '../openapi/index.js'
import { count, word } from '../parse/index.js'

export const webhooksEntity = component(
  'webhooks',
  z.object({
    'entity-type': z.literal('webhooks'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('webhook'),
        id: z.string(),
        url: z.string(),
        events: z.array(z.string()).describe('None: all'),
        types: z.array(z.string()).describe('None: any'),
        path: z.string().optional(),
        condition: z.string().optional(),
        isSigned: z.boolean(),
      }),
    ),
  }),
)

const moment = z.iso
  .datetime({ offset: true, error: 'a time as 2026-01-31T12:00:00Z is expected' })
  .transform((text) => new Date(text))
  .optional()

export const deliveriesQuery = z.object({
  webhook: word.describe('Name of the webhook'),
  state: z
    .preprocess(
      (text) => (typeof text === 'string' ? text.trim().toUpperCase() || undefined : text),
      z.enum(RUN_STATES, { error: `one of ${RUN_STATES.join(', ')} is expected` }).optional(),
    )
    .optional()
    .describe('`failed`: those that were given up'),
  event: word.describe('Name of the event'),
  from: moment.describe('Begun then or later'),
  to: moment.describe('Begun before'),
  pageSize: count.describe('Default 50, maximum 1000'),
})

export const deliveriesEntity = component(
  'deliveries',
  z.object({
    'entity-type': z.literal('deliveries'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('delivery'),
        id: z.string().describe('Sent as webhook-id'),
        webhook: z.string(),
        state: z.string(),
        event: z.string(),
        documentId: z.string().optional(),
        startedAt: z.string(),
        closedAt: z.string().optional(),
        failure: z.string().optional().describe('Why it was given up, or its last attempt has failed'),
        attempts: z.number().int().optional().describe('Of one that runs: attempts that have begun'),
        nextAttemptAt: z.string().optional().describe('When one that failed is tried again'),
      }),
    ),
  }),
)

export const redeliveryEntity = component(
  'redelivery',
  z.object({ 'entity-type': z.literal('redelivery'), ids: z.array(z.string()) }),
)
