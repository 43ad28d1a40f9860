import { z } from 'zod'
import { component } from '../openapi/index.js'
import { flag } from '../parse/index.js'

export const driftQuery = z.object({
  repair: flag.describe('Whether what differs is indexed again; false when absent'),
})

export const collectionQuery = z.object({
  dryRun: flag.describe('Whether files that nothing names are counted alone; false when absent'),
})

const count = z.number().optional()

export const collectionStatusEntity = component(
  'blobCollection',
  z.object({
    'entity-type': z.literal('blobCollection'),
    state: z.string().describe('RUNNING, COMPLETED, FAILED and so on; NONE before the first'),
    startedAt: z.string().optional(),
    closedAt: z.string().optional(),
    gcDuration: count.describe('Milliseconds'),
    numBinaries: count.describe('Files that are kept'),
    sizeBinaries: count.describe('Their bytes'),
    numBinariesGC: count.describe('Files that were removed, or would be'),
    sizeBinariesGC: count.describe('Their bytes'),
    failure: z.string().optional(),
  }),
  'A collection of files that nothing names',
)

const failure = z.object({
  documentId: z.string(),
  reason: z.string(),
  attempts: z.number(),
  failedAt: z.string(),
})

export const indexingStatusEntity = component(
  'searchIndexing',
  z.object({
    'entity-type': z.literal('searchIndexing'),
    indexes: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['wanted', 'building', 'live']),
        createdAt: z.string(),
        total: z.number().describe('Documents when its building began'),
        done: z.number().describe('How many of them have been indexed'),
      }),
    ),
    failures: z.number().describe('Documents that the search engine has refused'),
  }),
  'The indexes of a repository',
)

export const failuresEntity = component(
  'searchFailures',
  z.object({
    'entity-type': z.literal('searchFailures'),
    retried: z.number().optional(),
    total: z.number(),
    entries: z.array(failure),
  }),
  'Documents that the search engine has refused',
)

const differences = z.object({ count: z.number(), ids: z.array(z.string()).describe('The first of them') })

export const driftEntity = component(
  'searchDrift',
  z.object({
    'entity-type': z.literal('searchDrift'),
    documents: z.number(),
    entries: z.number(),
    missing: differences,
    surplus: differences,
    different: differences,
    repaired: z.number(),
  }),
  'How an index differs from its repository',
)
