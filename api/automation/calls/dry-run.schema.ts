import { z } from 'zod'
import { component } from '../../openapi/index.js'
import { failedItem, incident, runFailure } from '../failures.schema.js'

const namedDocument = z.object({ uid: z.string(), path: z.string().nullish(), type: z.string().optional() })

/** What a call would do. */
export const dryRunEntity = component(
  'dryRun',
  z.object({
    'entity-type': z.literal('dryRun'),
    operation: z.string(),
    output: z.looseObject({
      type: z.string(),
      document: namedDocument.optional(),
      documents: z.array(namedDocument).optional().describe('The first 20'),
    }),
    boundaries: z.int().describe('Steps at which it would have committed'),
    events: z
      .array(
        z.object({
          event: z.string(),
          documentId: z.string().nullable(),
          path: z.string().nullable().describe('null for what is gone by then, or not shown to the caller'),
          type: z.string().nullable(),
        }),
      )
      .describe('The first 1000'),
    eventCount: z.int(),
    mails: z.array(z.object({ to: z.array(z.string()), subject: z.string() })),
    mailCount: z.int(),
    loops: z
      .array(
        z.object({
          operation: z.string(),
          target: z.string(),
          total: z.int(),
          failed: z.int().describe('Items that it would pass over'),
          failures: z.array(z.object(failedItem)).describe('The first 20'),
        }),
      )
      .describe('Whose items would have transactions of their own; the first 100'),
    incidents: z
      .array(z.object(incident))
      .describe('Failures that would be passed over, and error chains that ran; the first 100'),
    incidentCount: z.int(),
    commands: z
      .array(
        z.object({
          action: z.string(),
          total: z
            .int()
            .optional()
            .describe('Documents that it meets; absent: it would act for another user'),
          first: z
            .object({
              documentId: z.string(),
              path: z.string().nullable(),
              events: z.array(z.string()),
              failure: runFailure.optional(),
            })
            .optional()
            .describe('What the first document would come to'),
        }),
      )
      .describe('Bulk commands that would begin after the commit; the first 10'),
  }),
)
