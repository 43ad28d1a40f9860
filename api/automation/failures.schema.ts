import { z } from 'zod'

/** An item of a loop that failed. */
export const failedItem = {
  position: z.int().describe('Among the items of its loop, from 0'),
  id: z.string().optional().describe('The document, where the item is one'),
  path: z.string().optional().describe('Of that document, for who may browse it'),
  status: z.int(),
  message: z.string(),
}

/** What a run failed with. */
export const runFailure = z.object({ code: z.string(), status: z.int(), message: z.string() })

/** A failure after which a run goes on, or an error chain that ran. */
export const incident = {
  kind: z.enum(['passedOver', 'errorChain']),
  operation: z.string().optional().describe('passedOver: the step that was told to go on'),
  target: z.string().optional().describe('passedOver: what it ran'),
  input: z
    .object({
      type: z.string(),
      documentId: z.string().optional(),
      path: z.string().optional(),
      name: z.string().optional(),
    })
    .optional()
    .describe('passedOver: what it ran on'),
  errorChain: z.string().optional(),
  chain: z.string().optional().describe("errorChain: whose it is, when not the run's own"),
  after: runFailure.optional().describe('errorChain: what it answered'),
  outcome: z.enum(['completed', 'failed']).optional().describe('errorChain: how it ended'),
  failure: runFailure
    .optional()
    .describe('passedOver: what was passed over; errorChain: what it failed with'),
}
