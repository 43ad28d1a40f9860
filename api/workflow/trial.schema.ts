import { z } from 'zod'
import { component } from '../openapi/index.js'
import { entity } from '../parse/index.js'

const anyJson = z.custom<z.core.util.JSONType>(() => true)
const variables = z.record(z.string(), anyJson)
const moment = z.iso.datetime({ offset: true })

/** A period is measured from where the clock begins. */
const momentOrPeriod = z.union([
  moment,
  z.string().regex(/^P(?=.)/, 'expected a date, or a period such as P90D'),
])

const answer = z.strictObject({
  node: z.string().min(1).describe('The node whose task it is'),
  actor: z.string().min(1).optional().describe('A user; absent: the first who has the task'),
  after: z.string().describe('Since the task was created, such as P3D or PT12H'),
  button: z.string().min(1),
  comment: z.string().optional(),
  variables: variables.optional(),
  times: z.int().positive().max(1_000).optional().describe('How many tasks are answered so; 1'),
})

/** What is tried, and who answers what. */
export const trialRequest = entity('workflowTrial', {
  model: z
    .record(z.string(), anyJson)
    .optional()
    .describe('A model that is not deployed; absent: the one of that name'),
  chains: z
    .record(z.string(), anyJson)
    .default({})
    .describe('Chains that are not deployed, by id: in force for the trial alone'),
  attachedDocumentIds: z.array(z.string()).default([]).describe('Ids or paths'),
  variables: variables.default({}),
  answers: z.array(answer).max(1_000).default([]),
  startedAt: moment.optional().describe('Where the clock begins; now'),
  end: momentOrPeriod.default('P90D').describe('Where the clock ends'),
})

const entry = z.object({
  at: z.string(),
  kind: z.enum([
    'workflowStarted',
    'nodeEntered',
    'chainExecuted',
    'taskCreated',
    'tasksCancelled',
    'nodeLeft',
    'workflowEnded',
    'taskCompleted',
    'escalation',
    'mail',
  ]),
  workflowId: z.string().describe('Of a workflow that does not exist'),
  workflowModelName: z.string(),
  node: z.string().optional(),
  chain: z.string().optional(),
  transitions: z.array(z.string()).optional(),
  actors: z.array(z.string()).optional(),
  dueDate: z.string().optional(),
  state: z.string().optional(),
  actor: z.string().optional(),
  button: z.string().optional(),
  rule: z.string().optional(),
  to: z.array(z.string()).optional(),
  subject: z.string().optional(),
  error: z.string().optional().describe('What it has failed with: nothing of it was kept'),
})

export const trialSchema = component(
  'workflowTrial',
  z.object({
    'entity-type': z.literal('workflowTrial'),
    workflowModelName: z.string(),
    startedAt: z.string(),
    endedAt: z.string().describe('Where the clock stands'),
    state: z.string(),
    isComplete: z.boolean().describe('false: ended because too much happened'),
    variables,
    entries: z.array(entry).describe('What happened, in order'),
    openTasks: z.array(
      z.object({
        workflowModelName: z.string(),
        node: z.string(),
        actors: z.array(z.string()),
        created: z.string().nullable(),
        dueDate: z.string().nullable(),
      }),
    ),
    warnings: z.array(z.string()).describe('Variables and buttons that the model does not have'),
    unusedAnswers: z.array(answer).describe('To tasks that have not come'),
  }),
  'What a model of workflows would do',
)
