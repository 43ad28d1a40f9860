import { z } from 'zod'
import { RUN_EXECUTIONS, RUN_STATES } from '../../../core/automation/runs/index.js'
import { component } from '../../openapi/index.js'
import { count, word } from '../../parse/index.js'
import { failedItem, incident, runFailure } from '../failures.schema.js'

/** A name to filter by. Temporal's index refuses NUL, and no name has one. */
const name = word.refine((text) => !text?.includes('\0'), { error: 'a text without NUL is expected' })

const moment = z.iso
  .datetime({ offset: true, error: 'a time as 2026-01-31T12:00:00Z is expected' })
  .transform((text) => new Date(text))
  .optional()

/** The filters of a list of runs. */
export const runsQuery = z.object({
  chain: name.describe(
    'Id of the chain or operation; for bulk commands `bulk` and the action, such as `bulk trash`',
  ),
  execution: z
    .enum(RUN_EXECUTIONS, { error: `one of ${RUN_EXECUTIONS.join(', ')} is expected` })
    .optional()
    .describe('The execution; `bulk` for bulk commands'),
  state: z
    .preprocess(
      (text) => (typeof text === 'string' ? text.trim().toUpperCase() || undefined : text),
      z.enum(RUN_STATES, { error: `one of ${RUN_STATES.join(', ')} is expected` }).optional(),
    )
    .optional()
    .describe('The state of the run'),
  user: name.describe('The user for whom it runs; only administrators may list the runs of others'),
  document: name.describe('Id or path of the input document'),
  event: name.describe('Name of the event that started it'),
  from: moment.describe('Started then or later'),
  to: moment.describe('Started before'),
  pageSize: count.describe('Default 50, maximum 1000'),
  cursor: word.describe('nextCursor of the previous page'),
})

const loop = z.object({
  position: z.int().describe('Processed items, failed ones included'),
  total: z.int(),
  failed: z.int().describe('Failed items after which it continued'),
  stopped: z
    .object(failedItem)
    .optional()
    .describe('The item whose failure ended the loop, which does not continue on errors'),
  failures: z.array(z.object(failedItem)).describe('The first 1000'),
})

/** Where in a run an incident happened. */
const incidentPlace = {
  at: z.string(),
  run: z.string().optional().describe('The child run in which it happened'),
  node: z.int().describe('Position of the step among the nodes of that run'),
  position: z.int().optional().describe('Position of the element in its list'),
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
  event: z.string().optional().describe('The event that started it'),
  repository: z.string().optional().describe('Absent: the default one'),
  repairs: z.string().optional().describe('The run whose failed items it retries'),
  schedule: z.string().optional().describe('The schedule that started it'),
  unreadable: z
    .string()
    .optional()
    .describe('Why its input and result cannot be read: a key of ARCHIVOLT_TEMPORAL_KEY is missing'),
  workflowUrl: z.string().optional(),
  startedAt: z.string(),
  closedAt: z.string().optional(),
}

/** The report of a run. */
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
            .describe('caught: an error chain handled its failure; skipped: not run because of that'),
          loop: loop.optional(),
        }),
      )
      .optional()
      .describe('Its steps; absent when no worker responds'),
    loop: loop.optional().describe('The loop of the running step'),
    items: itemCounts.optional().describe('Totals over the loops that it has entered'),
    failure: runFailure.optional().describe('The error that ended it'),
    incidents: z
      .array(z.object({ ...incident, ...incidentPlace }))
      .optional()
      .describe(
        'Failures after which it continued, and error chains that ran, in order of time; the first 100',
      ),
    incidentCount: z.int().optional().describe('Number of incidents, those beyond the first 100 included'),
    isOutdated: z
      .literal(true)
      .optional()
      .describe(
        'Of a retry: its chain, or one that this calls, was deployed again since the run began; `definition=current` uses the latest',
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
        items: itemCounts.optional().describe('Totals over the loops that it has entered'),
        incidentCount: z
          .int()
          .optional()
          .describe('Number of failures after which it continued, and of error chains that ran'),
      }),
    ),
    pageSize: z.int(),
    isNextPageAvailable: z.boolean(),
    nextCursor: z.string().optional(),
  }),
)

/** How a run is retried. */
export const retryQuery = z.object({
  definition: z
    .enum(['original', 'current'], { error: 'one of original, current is expected' })
    .optional()
    .describe('current: with the chain as deployed now, as inline runs always are'),
})
