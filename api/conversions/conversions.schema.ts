import { z } from 'zod'
import { component } from '../openapi/index.js'

const blankIsAbsent = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value : undefined))

/** Parameters of `@convert`; every other one is passed to the converter (blobs-conversions.md §3). */
export const conversionParameters = z
  .object({
    converter: blankIsAbsent.describe('Name of a converter; takes precedence over type and format'),
    type: blankIsAbsent.describe('A mime type; takes precedence over format'),
    format: blankIsAbsent.describe('An extension'),
    async: z.string().optional().describe('true, in a POST: responds at once with the address of the status'),
  })
  .refine(
    ({ converter, type, format }) => (converter ?? type ?? format) !== undefined,
    'No converter, type or format parameter specified',
  )

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
    resultURL: z.string(),
  }),
  'The state of a conversion',
)

export const converterList = component(
  'converters',
  z.object({ 'entity-type': z.literal('converters'), entries: z.array(z.looseObject({ name: z.string() })) }),
  'The converters',
)
