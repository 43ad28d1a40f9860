import { z } from 'zod'

/** An item of a loop that failed. */
export const failedItem = {
  position: z.int().describe('Position among the items of its loop, from 0'),
  id: z.string().optional().describe('The document, where the item is one'),
  path: z.string().optional().describe('Path of that document, for readers who may browse it'),
  status: z.int(),
  message: z.string(),
}

/** The error of a failed run. */
export const runFailure = z.object({ code: z.string(), status: z.int(), message: z.string() })

/** A failure after which a run continued, or an error chain that ran. */
export const incident = {
  kind: z.enum(['passedOver', 'errorChain']),
  operation: z.string().optional().describe('passedOver: the step that continues on errors'),
  target: z.string().optional().describe('passedOver: the operation or chain that it ran'),
  input: z
    .object({
      type: z.string(),
      documentId: z.string().optional(),
      path: z.string().optional(),
      name: z.string().optional(),
    })
    .optional()
    .describe('passedOver: the input on which it ran'),
  errorChain: z.string().optional(),
  chain: z.string().optional().describe("errorChain: the chain that declares it, when not the run's own"),
  after: runFailure.optional().describe('errorChain: the failure that it handles'),
  outcome: z.enum(['completed', 'failed']).optional().describe('errorChain: how it ended'),
  failure: runFailure.optional().describe('passedOver: the failure; errorChain: its own failure'),
}
