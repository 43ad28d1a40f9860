import { z } from 'zod'
import { warnings } from './entities.js'

/** A contribution that was deployed alone. */
export const deployedEntity = z.object({
  id: z.string(),
  version: z.number(),
  unchanged: z.boolean().optional(),
  sameAs: z.number().optional(),
  warnings,
})

const versionEntity = z.object({
  version: z.number(),
  etag: z.string(),
  format: z.enum(['yaml', 'json', 'xml']),
  author: z.string().optional(),
  created: z.string().optional(),
  deleted: z.boolean().optional(),
})

export const versionsEntity = z.object({ entries: z.array(versionEntity) })

const converterEntity = z.object({
  name: z.string(),
  sourceMimeTypes: z.array(z.string()),
  destinationMimeType: z.string().nullable(),
  isAvailable: z.boolean(),
  missing: z.array(z.string()),
})

export const convertersEntity = z.object({ entries: z.array(converterEntity) })

export type VersionEntity = z.infer<typeof versionEntity>
export type ConverterEntity = z.infer<typeof converterEntity>
