import { z } from 'zod'
import { component } from '../../openapi/index.js'
import { failedItem, incident, runFailure } from '../failures.schema.js'

const namedDocument = z.object({ uid: z.string(), path: z.string().nullish(), type: z.string().optional() })

/** The report of a dry run. */
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
    boundaries: z.int().describe('Number of steps at which the call would commit'),
    events: z
      .array(
        z.object({
          event: z.string(),
          documentId: z.string().nullable(),
          path: z
            .string()
            .nullable()
            .describe('null for a document that is removed by then, or hidden from the caller'),
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
          failed: z.int().describe('Items that would fail and be skipped'),
          failures: z.array(z.object(failedItem)).describe('The first 20'),
        }),
      )
      .describe('Loops whose items would run in transactions of their own; the first 100'),
    incidents: z
      .array(z.object(incident))
      .describe('Failures after which it would continue, and error chains that ran; the first 100'),
    incidentCount: z.int(),
    commands: z
      .array(
        z.object({
          action: z.string(),
          total: z
            .int()
            .optional()
            .describe('Documents that match; absent: the command would act for another user'),
          first: z
            .object({
              documentId: z.string(),
              path: z.string().nullable(),
              events: z.array(z.string()),
              failure: runFailure.optional(),
            })
            .optional()
            .describe('What would happen to the first document'),
        }),
      )
      .describe('Bulk commands that would start after the commit; the first 10'),
    warnings: z.array(z.string()).describe('Parameters of the call that there are none of'),
  }),
)
