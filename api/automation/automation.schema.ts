import { z } from 'zod'
import { KEPT_FAILURES } from '../../core/automation/language/index.js'
import { MAX_POSITION, RUN_EXECUTIONS, RUN_STATES } from '../../core/automation/runs/index.js'
import { component } from '../openapi/index.js'
import { count, flag, word } from '../parse/index.js'

const map = z.record(z.string(), z.unknown(), { error: 'an object is expected' }).nullish()

/** An automation call (automation.md §3). */
export const callRequest = component(
  'automationCall',
  z
    .object(
      {
        input: z
          .unknown()
          .optional()
          .describe('A reference `doc:<id or path>` or `docs:<…>,<…>`, an entity, or any JSON'),
        params: map.describe('By name; what the operation takes is told by GET'),
        context: map.describe('Variables'),
        documentProperties: z
          .string()
          .nullish()
          .describe('Schemas of the documents in the answer, as in the header X-NXDocumentProperties'),
      },
      { error: 'body: an object is expected' },
    )
    .nullish(),
)

/** How an operation is called. */
export const callQuery = z.object({
  dryRun: flag.describe('Does it in one transaction, keeps nothing, and tells what would be done'),
})

const toldDocument = z.object({ uid: z.string(), path: z.string().nullish(), type: z.string().optional() })

const failedItem = {
  position: z.int().describe('Among the items of its loop, from 0'),
  id: z.string().optional().describe('The document, where the item is one'),
  path: z.string().optional().describe('Of that document, for who may browse it'),
  status: z.int(),
  message: z.string(),
}

const runFailure = z.object({ code: z.string(), status: z.int(), message: z.string() })

const incident = {
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

/** What a call would do. */
export const dryRunEntity = component(
  'dryRun',
  z.object({
    'entity-type': z.literal('dryRun'),
    operation: z.string(),
    output: z.looseObject({
      type: z.string(),
      document: toldDocument.optional(),
      documents: z.array(toldDocument).optional().describe('The first 20'),
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

const parameter = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  required: z.boolean(),
  widget: z.null(),
  order: z.int(),
  values: z.array(z.string()),
})

/** An operation or a chain (automation.md §2). */
export const operationEntity = component(
  'operation',
  z.object({
    id: z.string(),
    aliases: z.array(z.string()).optional(),
    label: z.string(),
    category: z.string(),
    requires: z.null(),
    description: z.string(),
    since: z.string().optional(),
    url: z.string(),
    signature: z.array(z.string()).describe('Types in and out, in pairs'),
    params: z.array(parameter),
  }),
)

export const registryEntity = component(
  'automationRegistry',
  z.object({
    paths: z.object({ login: z.string() }),
    codecs: z.array(z.unknown()),
    operations: z.array(operationEntity),
    chains: z.array(operationEntity),
  }),
)

export const loginEntity = component(
  'login',
  z.object({
    'entity-type': z.literal('login'),
    username: z.string(),
    isAdministrator: z.boolean(),
    groups: z.array(z.string()),
  }),
)

/** A value in an entity that tells its type: `{"entity-type": "string", "value": …}`; documents are theirs. */
export const valueEntity = component('value', z.looseObject({ 'entity-type': z.string() }))

export const runStatus = component(
  'runStatus',
  z.object({ 'entity-type': z.literal('string'), value: z.enum(['RUNNING', 'ABORTED']) }),
)

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
    failure: z
      .object({ code: z.string(), status: z.int(), message: z.string() })
      .optional()
      .describe('What it failed with'),
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

/** Which failed items are listed. */
export const itemsQuery = z.object({
  node: count.describe('Of this loop alone: its position among nodes, from 0'),
  pageSize: count.describe('50 when absent, 1000 at most'),
  cursor: word.describe('nextCursor of the page before'),
})

export const itemsEntity = component(
  'runItems',
  z.object({
    'entity-type': z.literal('runItems'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('runItem'),
        node: z.int().describe('Position of the step that is the loop, among nodes, from 0'),
        ...failedItem,
      }),
    ),
    pageSize: z.int(),
    isNextPageAvailable: z.boolean(),
    nextCursor: z.string().optional(),
  }),
)

const NO_POSITION = 'expected a whole number that is not negative'
const position = z
  .int({ error: NO_POSITION })
  .min(0, { error: NO_POSITION })
  .max(MAX_POSITION, { error: `expected a whole number of ${MAX_POSITION} at most` })

/** Which failed items are to be done again; absent: all. */
export const itemsRequest = component(
  'runItemsRequest',
  z
    .object(
      {
        node: position.optional().describe('Position of the step that is the loop, among nodes, from 0'),
        positions: z
          .array(position, { error: 'expected a list of whole numbers' })
          .min(1, { error: 'expected at least one whole number' })
          .max(KEPT_FAILURES, { error: `expected ${KEPT_FAILURES} whole numbers at most` })
          .optional(),
      },
      { error: 'body: an object is expected' },
    )
    .nullish(),
)

export const schedulesEntity = component(
  'schedules',
  z.object({
    'entity-type': z.literal('schedules'),
    entries: z.array(
      z.object({
        'entity-type': z.literal('schedule'),
        id: z.string(),
        chain: z.string().optional(),
        event: z.string().optional().describe('Told instead of a chain being run'),
        cron: z.string(),
        timezone: z.string(),
        username: z.string().describe('Who it acts as'),
        state: z.enum(['active', 'paused', 'pending']),
        note: z.string().optional().describe('What whoever paused it has left'),
        next: z.array(z.string()).describe('When it comes next'),
        runs: z
          .array(z.object({ workflowId: z.string(), scheduledAt: z.string(), startedAt: z.string() }))
          .describe('What it has started, the latest first'),
        left: z
          .object({ overlapping: z.int(), missed: z.int() })
          .describe(
            'Times at which nothing was started: the run before went on, or nobody was there for too long',
          ),
      }),
    ),
  }),
)

export const scheduleRunEntity = component(
  'scheduleRun',
  z.object({
    'entity-type': z.literal('scheduleRun'),
    schedule: z.string(),
    workflowId: z
      .string()
      .optional()
      .describe('The run of its chain; absent: it has yet to begin, or an event is told'),
    waitsFor: z.string().optional().describe('The run after which it begins'),
  }),
)
