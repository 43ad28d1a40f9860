import { z } from 'zod'
import { RUN_EXECUTIONS, RUN_STATES } from '../../../core/automation/runs/index.js'
import { component } from '../../openapi/index.js'
import { count, word } from '../../parse/index.js'
import { failedItem, incident, runFailure } from '../failures.schema.js'

/** A name to look for. Temporal's index takes no NUL, and nothing has one in its name. */
const name = word.refine((text) => !text?.includes('\0'), { error: 'a text without NUL is expected' })

const moment = z.iso
  .datetime({ offset: true, error: 'a time as 2026-01-31T12:00:00Z is expected' })
  .transform((text) => new Date(text))
  .optional()

/** What runs are listed by. */
export const runsQuery = z.object({
  chain: name.describe(
    'Id of the chain or operation; of bulk commands `bulk` and the action, as `bulk trash`',
  ),
  execution: z
    .enum(RUN_EXECUTIONS, { error: `one of ${RUN_EXECUTIONS.join(', ')} is expected` })
    .optional()
    .describe('What it is: `bulk` for bulk commands'),
  state: z
    .preprocess(
      (text) => (typeof text === 'string' ? text.trim().toUpperCase() || undefined : text),
      z.enum(RUN_STATES, { error: `one of ${RUN_STATES.join(', ')} is expected` }).optional(),
    )
    .optional()
    .describe('How it stands'),
  user: name.describe('For whom it runs; the runs of others are shown to administrators'),
  document: name.describe('Id or path of the document that it was called on'),
  from: moment.describe('Started then or later'),
  to: moment.describe('Started before'),
  pageSize: count.describe('50 when absent, 1000 at most'),
  cursor: word.describe('nextCursor of the page before'),
})

const loop = z.object({
  position: z.int().describe('Items that it is past, failed ones included'),
  total: z.int(),
  failed: z.int().describe('Those that it passed over'),
  stopped: z.object(failedItem).optional().describe('The item at which it ended, passing over none'),
  failures: z.array(z.object(failedItem)).describe('The first 1000'),
})

/** Where in a run an incident was. */
const incidentPlace = {
  at: z.string(),
  run: z.string().optional().describe('The run below this one in which it was'),
  node: z.int().describe('The step among the nodes of that run'),
  position: z.int().optional().describe('The element of a list'),
}

const itemCounts = z.object({ done: z.int(), failed: z.int(), total: z.int() })

const runFields = {
  'entity-type': z.literal('run'),
  workflowId: z.string(),
  chainId: z.string(),
  execution: z.enum(RUN_EXECUTIONS),
  principal: z.string(),
  status: z.enum([...RUN_STATES, 'CONTINUED_AS_NEW', 'PAUSED', 'UNSPECIFIED', 'UNKNOWN']),
  documentId: z.string().optional(),
  repository: z.string().optional().describe('Absent: the default one'),
  repairs: z.string().optional().describe('The run whose failed items it does again'),
  schedule: z.string().optional().describe('The schedule that has started it'),
  workflowUrl: z.string().optional(),
  startedAt: z.string(),
  closedAt: z.string().optional(),
}

/** How far a run is. */
export const runEntity = component(
  'run',
  z.object({
    ...runFields,
    nodes: z
      .array(
        z.object({
          title: z.string(),
          kind: z.string(),
          status: z
            .enum(['waiting', 'running', 'done', 'failed', 'caught', 'skipped'])
            .describe('caught: an error chain has answered its failure; skipped: what that has left out'),
          loop: loop.optional(),
        }),
      )
      .optional()
      .describe('Its steps; absent when no worker is there to tell'),
    loop: loop.optional().describe('That of the step that is running'),
    items: itemCounts.optional().describe('Of all its loops that it has entered'),
    failure: runFailure.optional().describe('What it failed with'),
    incidents: z
      .array(z.object({ ...incident, ...incidentPlace }))
      .optional()
      .describe('Failures that were passed over, and error chains that ran, in order of time; the first 100'),
    incidentCount: z.int().optional().describe('With those that are not told one by one'),
    isOutdated: z
      .literal(true)
      .optional()
      .describe(
        'Answer to a retry: its chain, or what this calls, was deployed anew since it began, and it goes on as it was; `definition=current` takes that of now',
      ),
  }),
)

export const runsEntity = component(
  'runs',
  z.object({
    'entity-type': z.literal('runs'),
    entries: z.array(
      z.object({
        ...runFields,
        items: itemCounts.optional().describe('Of all its loops that it has entered'),
        incidentCount: z.int().optional().describe('Failures that it passed over, and error chains that ran'),
      }),
    ),
    pageSize: z.int(),
    isNextPageAvailable: z.boolean(),
    nextCursor: z.string().optional(),
  }),
)

/** How a run is started again. */
export const retryQuery = z.object({
  definition: z
    .enum(['original', 'current'], { error: 'one of original, current is expected' })
    .optional()
    .describe('current: with the chain as it is deployed now; inline runs always are'),
})
