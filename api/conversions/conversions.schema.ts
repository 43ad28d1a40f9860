import { z } from 'zod'
import { RUN_STATES } from '../../core/automation/runs/index.js'
import { component } from '../openapi/index.js'
import { count } from '../parse/index.js'

/** Longer ones name nothing, and would not fit into what runs are searched by. */
const NAME_LENGTH = 200

const blankIsAbsent = z
  .string()
  .max(NAME_LENGTH)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')
  .optional()
  .transform((value) => (value?.trim() ? value : undefined))

/** Parameters of `@convert`; every other one is passed to the converter (blobs-conversions.md §3). */
export const conversionParameters = z.object({
  converter: blankIsAbsent.describe('Name of a converter; takes precedence over type and format'),
  type: blankIsAbsent.describe('A mime type; takes precedence over format'),
  format: blankIsAbsent.describe('An extension'),
  async: z
    .string()
    .optional()
    .describe('true, in a POST: responds at once with the address of the status; to a PDF by default'),
})

const scheduled = z.object({
  'entity-type': z.literal('conversionScheduled'),
  conversionId: z.string(),
  pollingURL: z.string(),
  resultURL: z.string(),
})

export const conversionScheduled = component('conversionScheduled', scheduled, 'A conversion that is running')

export const conversionStatus = component(
  'conversionStatus',
  z.object({
    'entity-type': z.literal('conversionStatus'),
    conversionId: z.string(),
    status: z.enum(['scheduled', 'running', 'completed']),
    progress: z.number().min(0).max(1).optional().describe('Of converters that report it'),
    resultURL: z.string(),
  }),
  'The state of a conversion',
)

export const conversionsQuery = z.object({
  pageSize: count.describe('Default 50, maximum 1000'),
})

export const conversionList = component(
  'conversions',
  z.object({
    'entity-type': z.literal('conversions'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('conversion'),
        conversionId: z.string(),
        state: z.string().describe(`One of ${RUN_STATES.join(', ')}`),
        file: z.string().optional().describe('Name of the file'),
        target: z.string().optional().describe('The converter, media type or file format'),
        documentId: z.string().optional(),
        startedAt: z.string(),
        closedAt: z.string().optional(),
        pollingURL: z.string(),
        resultURL: z.string(),
      }),
    ),
  }),
  'Conversions of a user',
)

const converter = z.object({
  name: z.string(),
  sourceMimeTypes: z.array(z.string()).describe('Exact, type/* or *'),
  destinationMimeType: z.string().nullable().describe('null: its parameters decide'),
  parameters: z
    .array(z.object({ name: z.string(), description: z.string() }))
    .describe('What callers may ask of it; it ignores all other parameters'),
  isAvailable: z.boolean(),
  missing: z.array(z.string()).describe('What to install'),
})

export const converterList = component(
  'converters',
  z.object({ 'entity-type': z.literal('converters'), entries: z.array(converter) }),
  'The converters',
)
