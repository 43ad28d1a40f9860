import { z } from 'zod'
import { component } from '../openapi/index.js'
import { wholeNumber } from '../parse/index.js'

/** Parameters of a bulk request besides its query. */
export const bulkQuery = z.object({
  queryLimit: wholeNumber.describe('Maximum of documents, in the order of the query'),
  bucketSize: wholeNumber.describe('Documents in a bucket for a worker; 1000 when absent'),
  batchSize: wholeNumber.describe('Documents in a transaction; 100 when absent'),
  documentsPerSecond: wholeNumber.describe('Maximum of documents per second'),
  scroll: z.string().optional().describe('Accepted for compatibility, without effect'),
})

/** Any JSON: types cannot be generated from a schema that refers to itself. */
const anyJson = z.custom<z.core.util.JSONType>(() => true)

export const bulkParameters = z
  .record(z.string(), anyJson)
  .describe('Parameters of the action, e.g. `operationId` and `parameters`, or properties to set')

const time = z.string().nullable()

export const bulkStatusEntity = component(
  'bulkStatus',
  z.object({
    'entity-type': z.literal('bulkStatus'),
    commandId: z.string(),
    state: z.enum(['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING', 'COMPLETED', 'ABORTED']),
    action: z.string(),
    repairs: z.string().optional().describe('The command whose failed documents it retries'),
    username: z.string(),
    processed: z.number().describe('Processed documents, failed ones included'),
    total: z.number().describe('Documents found so far'),
    skipCount: z.number(),
    error: z.boolean(),
    errorCount: z.number(),
    errorMessage: z.string().nullable(),
    failures: z
      .array(z.object({ position: z.number(), id: z.string(), status: z.number(), message: z.string() }))
      .describe('The first 1000 failed documents'),
    submitted: time,
    scrollStart: time,
    scrollEnd: time,
    processingStart: time,
    processingEnd: time,
    completed: time,
    processingMillis: z.number(),
  }),
  'The status of a bulk command',
)
