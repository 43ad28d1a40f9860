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

export type VersionEntity = z.infer<typeof versionEntity>
