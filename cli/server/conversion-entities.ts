import { z } from 'zod'

const converterEntity = z.object({
  name: z.string(),
  sourceMimeTypes: z.array(z.string()),
  destinationMimeType: z.string().nullable(),
  isAvailable: z.boolean(),
  missing: z.array(z.string()),
})

export const convertersEntity = z.object({ entries: z.array(converterEntity) })

const conversionEntity = z.object({
  conversionId: z.string(),
  state: z.string(),
  /** Name of the file. */
  file: z.string().optional(),
  /** The converter, media type or file format. */
  target: z.string().optional(),
  startedAt: z.string(),
  closedAt: z.string().optional(),
})

export const conversionsEntity = z.object({ entries: z.array(conversionEntity) })

export type ConverterEntity = z.infer<typeof converterEntity>
export type ConversionEntity = z.infer<typeof conversionEntity>
