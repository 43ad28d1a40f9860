import { z } from 'zod'
import { component } from '../openapi/index.js'
import { wholeNumber } from '../parse/index.js'

/** What a bulk request takes beside its query. */
export const bulkQuery = z.object({
  queryLimit: wholeNumber.describe('Documents at most, in the order of the query'),
  bucketSize: wholeNumber.describe('Documents that a worker takes at once; 1000 when absent'),
  batchSize: wholeNumber.describe('Documents of one transaction; 100 when absent'),
  documentsPerSecond: wholeNumber.describe('Documents in a second at most'),
  scroll: z.string().optional().describe('Taken for the sake of clients, without effect'),
})

export const bulkParameters = z
  .record(z.string(), z.json())
  .describe('Parameters of the action, e.g. `operationId` and `parameters`, or properties to set')

const time = z.string().nullable()

export const bulkStatusEntity = component(
  'bulkStatus',
  z.object({
    'entity-type': z.literal('bulkStatus'),
    commandId: z.string(),
    state: z.enum(['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING', 'COMPLETED', 'ABORTED']),
    action: z.string(),
    repairs: z.string().optional().describe('The command whose failed documents it does again'),
    username: z.string(),
    processed: z.number().describe('Documents behind it, failed ones included'),
    total: z.number().describe('Documents found so far'),
    skipCount: z.number(),
    error: z.boolean(),
    errorCount: z.number(),
    errorMessage: z.string().nullable(),
    failures: z
      .array(z.object({ position: z.number(), id: z.string(), status: z.number(), message: z.string() }))
      .describe('The first 1000 that failed'),
    submitted: time,
    scrollStart: time,
    scrollEnd: time,
    processingStart: time,
    processingEnd: time,
    completed: time,
    processingMillis: z.number(),
  }),
  'Where a bulk command stands',
)
