import { z } from 'zod'

/** The fields of server responses that the command line reads; others are ignored. */

const problem = z.object({
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  field: z.string().optional(),
  severity: z.literal('warning').optional(),
  source: z.number().optional(),
  contribution: z.string().optional(),
})

export const warnings = z.array(problem).default([])

export const exceptionEntity = z.object({ message: z.string(), details: z.array(problem).default([]) })

export const loginEntity = z.object({ username: z.string(), isAdministrator: z.boolean() })

const failedItem = z.object({
  /** Position among the items of its loop, from 0. */
  position: z.number(),
  status: z.number(),
  message: z.string(),
  /** The loop's position among the steps, from 0; present where items of all loops are listed. */
  node: z.number().optional(),
  /** The document, where it is one; its path for readers who may browse it. */
  id: z.string().optional(),
  path: z.string().optional(),
})

const loopReport = z.object({
  position: z.number(),
  total: z.number(),
  /** Number of failed items; the first of them are in `failures`. */
  failed: z.number(),
  failures: z.array(failedItem),
  /** The item at which it ended, where it does not continue on errors. */
  stopped: failedItem.optional(),
})

const failure = z.object({ status: z.number(), message: z.string() })

const incident = {
  operation: z.string().optional(),
  target: z.string().optional(),
  input: z
    .object({ documentId: z.string().optional(), path: z.string().optional(), name: z.string().optional() })
    .optional(),
  errorChain: z.string().optional(),
  chain: z.string().optional(),
  after: failure.optional(),
  failure: failure.optional(),
}

const incidentPlace = {
  run: z.string().optional(),
  node: z.number(),
  position: z.number().optional(),
}

export const runEntity = z.object({
  workflowId: z.string(),
  chainId: z.string(),
  execution: z.string().optional(),
  /** The run whose failed items it retries. */
  repairs: z.string().optional(),
  principal: z.string(),
  status: z.string(),
  startedAt: z.string(),
  closedAt: z.string().optional(),
  /** Why its input and result cannot be read. */
  unreadable: z.string().optional(),
  /** Empty when no worker responds. */
  nodes: z
    .array(
      z.object({
        title: z.string(),
        kind: z.string(),
        status: z.enum(['waiting', 'running', 'done', 'failed', 'caught', 'skipped']),
        loop: loopReport.optional(),
      }),
    )
    .default([]),
  /** The loop of the step that is running. */
  loop: loopReport.optional(),
  /** The error that ended it. */
  failure: z.object({ message: z.string() }).optional(),
  /** Failures after which it continued, and error chains that ran: the first of them. */
  incidents: z.array(z.object({ ...incident, ...incidentPlace })).default([]),
  incidentCount: z.number().default(0),
  /** Totals of its loops. */
  items: z.object({ done: z.number(), failed: z.number(), total: z.number() }).optional(),
  /** Of a retry: a newer definition was deployed since it began, which it does not use. */
  isOutdated: z.boolean().optional(),
  /** The run in the Temporal UI, when the server knows where that is. */
  workflowUrl: z.string().optional(),
})

export const itemsEntity = z.object({
  entries: z.array(failedItem),
  nextCursor: z.string().optional(),
})

export const runsEntity = z.object({
  entries: z.array(runEntity),
  nextCursor: z.string().optional(),
})

const toldDocument = z.object({ uid: z.string(), path: z.string().nullish(), type: z.string().optional() })

const toldFile = z.object({ name: z.string().nullish(), length: z.number() })

/** The report of a dry run. */
export const dryRunEntity = z.object({
  output: z.object({
    type: z.string(),
    value: z.unknown().optional(),
    count: z.number().optional(),
    document: toldDocument.optional(),
    documents: z.array(toldDocument).optional(),
    blob: toldFile.optional(),
    blobs: z.array(toldFile).optional(),
  }),
  boundaries: z.number(),
  events: z.array(
    z.object({
      event: z.string(),
      documentId: z.string().nullable(),
      path: z.string().nullable(),
      type: z.string().nullable(),
    }),
  ),
  eventCount: z.number(),
  mails: z.array(z.object({ to: z.array(z.string()), subject: z.string() })),
  mailCount: z.number(),
  loops: z
    .array(
      z.object({
        operation: z.string(),
        target: z.string(),
        total: z.number(),
        failed: z.number(),
        failures: z.array(failedItem),
      }),
    )
    .default([]),
  incidents: z.array(z.object(incident)).default([]),
  incidentCount: z.number().default(0),
  warnings: z.array(z.string()).default([]),
  commands: z
    .array(
      z.object({
        action: z.string(),
        total: z.number().optional(),
        first: z
          .object({
            documentId: z.string(),
            path: z.string().nullable(),
            events: z.array(z.string()),
            failure: failure.optional(),
          })
          .optional(),
      }),
    )
    .default([]),
})

const scheduleEntity = z.object({
  id: z.string(),
  chain: z.string().optional(),
  event: z.string().optional(),
  cron: z.string(),
  timezone: z.string(),
  username: z.string(),
  state: z.string(),
  next: z.array(z.string()),
})

export const schedulesEntity = z.object({ entries: z.array(scheduleEntity) })

export const scheduleRunEntity = z.object({
  workflowId: z.string().optional(),
  waitsFor: z.string().optional(),
})

const chainEntity = z.object({
  id: z.string(),
  version: z.number(),
  author: z.string().optional(),
  created: z.string().optional(),
  description: z.string().optional(),
})

export const chainsEntity = z.object({ entries: z.array(chainEntity) })

export type PlanPart = {
  kind: string
  title: string
  steps: string[]
  isSlow: boolean
  segments?: PlanPart[]
}

const planPart: z.ZodType<PlanPart> = z.object({
  kind: z.string(),
  title: z.string(),
  steps: z.array(z.string()),
  isSlow: z.boolean(),
  segments: z.array(z.lazy(() => planPart)).optional(),
})

const ofSet = {
  point: z.string(),
  id: z.string(),
  /** The position of its text among the sent ones. */
  source: z.number().optional(),
  unchanged: z.boolean().optional(),
  warnings,
}

const plan = z.object({
  chainId: z.string(),
  segments: z.array(planPart),
  boundaries: z.number(),
  signatures: z.array(z.object({ input: z.string(), output: z.string() })),
})

export const plannedEntities = z.object({
  entries: z.array(z.object({ ...ofSet, ...plan.partial().shape })),
})

export const deployedEntities = z.object({
  entries: z.array(z.object({ ...ofSet, version: z.number(), sameAs: z.number().optional() })),
})

export const documentEntity = z.object({
  'entity-type': z.literal('document'),
  uid: z.string(),
  path: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
})

export const documentsEntity = z.object({
  'entity-type': z.literal('documents'),
  entries: z.array(documentEntity),
  resultsCount: z.number().optional(),
})

/** Its run is `bulk-{commandId}`. */
export const bulkStatusEntity = z.object({
  'entity-type': z.literal('bulkStatus'),
  value: z.object({ commandId: z.string() }),
})

export const valueEntity = z.object({ 'entity-type': z.string(), value: z.unknown() })

export type RunEntity = z.infer<typeof runEntity>
export type DryRunEntity = z.infer<typeof dryRunEntity>
export type ScheduleEntity = z.infer<typeof scheduleEntity>
export type FailedItem = z.infer<typeof failedItem>
export type Incident = DryRunEntity['incidents'][number]
export type LoopReport = z.infer<typeof loopReport>
export type ChainEntity = z.infer<typeof chainEntity>
export type PlanEntity = z.infer<typeof plan>
export type PlannedEntity = z.infer<typeof plannedEntities>['entries'][number]
export type DeployedEntity = z.infer<typeof deployedEntities>['entries'][number]
export type DocumentEntity = z.infer<typeof documentEntity>
