import { z } from 'zod'

/** The indexes of the search engine, and how they stand. */
export const indexingEntity = z.object({
  'entity-type': z.literal('searchIndexing'),
  indexes: z.array(z.object({ name: z.string(), state: z.string(), total: z.number(), done: z.number() })),
  failures: z.number(),
})

const kind = z.object({ count: z.number(), ids: z.array(z.string()) })

export const indexDriftEntity = z.object({
  'entity-type': z.literal('searchDrift'),
  documents: z.number(),
  entries: z.number(),
  missing: kind,
  surplus: kind,
  different: kind,
  repaired: z.number(),
})

export const indexFailuresEntity = z.object({
  'entity-type': z.literal('searchFailures'),
  total: z.number(),
  entries: z.array(z.object({ documentId: z.string(), attempts: z.number(), reason: z.string() })),
})
