import { z } from 'zod'
import { component, pageOf } from '../openapi/index.js'
import { commaList, count, entity, flag, word } from '../parse/index.js'

const anyJson = z.custom<z.core.util.JSONType>(() => true)
const variables = z.record(z.string(), anyJson)
const reference = z.looseObject({ id: z.string().optional() })

/** What starts a workflow (workflow-audit.md §1). */
export const workflowRequest = entity('workflow', {
  workflowModelName: z.string().min(1),
  attachedDocumentIds: z
    .array(z.union([z.string(), z.looseObject({ id: z.string() })]))
    .max(1_000)
    .optional()
    .describe('Ids or paths, or objects with one as id; of an adapter the document alone counts'),
  variables: variables.optional(),
})

/** What ends a task; clients send the whole task, of which more is ignored. */
export const taskRequest = entity('task', {
  id: z.string().optional().describe('Ignored: the address names the task'),
  comment: z.string().max(10_000).nullish(),
  variables: variables.optional(),
})

export const workflowEntitySchema = component(
  'workflow',
  z.object({
    'entity-type': z.literal('workflow'),
    id: z.string(),
    name: z.string(),
    title: z.string(),
    state: z.string(),
    workflowModelName: z.string(),
    initiator: z.union([z.string(), z.looseObject({})]),
    attachedDocumentIds: z.array(reference),
    variables,
    graphResource: z.string(),
  }),
  'A workflow, or a model of workflows',
)

export const workflowsSchema = component(
  'workflows',
  z.object({ 'entity-type': z.literal('workflows'), entries: z.array(workflowEntitySchema) }),
  'Workflows',
)

export const graphSchema = component(
  'graph',
  z.object({
    'entity-type': z.literal('graph'),
    nodes: z.array(
      z.object({
        x: z.int(),
        y: z.int(),
        isStartNode: z.boolean(),
        isEndNode: z.boolean(),
        isMerge: z.boolean(),
        isMultiTask: z.boolean(),
        hasSubWorkflow: z.boolean(),
        id: z.string(),
        title: z.string(),
        state: z.string().nullable(),
      }),
    ),
    transitions: z.array(
      z.object({
        nodeSourceId: z.string(),
        nodeTargetId: z.string(),
        label: z.string(),
        path: z.array(z.object({ x: z.number(), y: z.number() })),
      }),
    ),
  }),
  'The nodes and transitions of a workflow',
)

const date = z.string().nullable()

export const taskEntitySchema = component(
  'task',
  z.object({
    'entity-type': z.literal('task'),
    id: z.string(),
    name: z.string(),
    workflowInstanceId: z.string(),
    workflowModelName: z.string().optional(),
    workflowInitiator: z.union([z.string(), z.looseObject({})]).optional(),
    workflowTitle: z.string().optional(),
    workflowLifeCycleState: z.string().optional(),
    graphResource: z.string().optional(),
    state: z.string(),
    directive: z.string(),
    created: date,
    dueDate: date,
    nodeName: z.string(),
    targetDocumentIds: z.array(reference),
    actors: z.array(reference),
    delegatedActors: z.array(reference),
    comments: z.array(z.object({ author: z.string(), text: z.string(), date: z.string() })),
    variables,
    taskInfo: z.object({
      allowTaskReassignment: z.boolean(),
      taskActions: z.array(
        z.object({ name: z.string(), url: z.string(), label: z.string(), validate: z.boolean() }),
      ),
      layoutResource: z.object({ name: z.string(), url: z.string() }),
      schemas: z.array(z.object({ name: z.string(), url: z.string() })),
    }),
  }),
  'A task of a workflow',
)

export const tasksSchema = pageOf('tasks', taskEntitySchema, 'open tasks, by their due dates')

export const taskFilters = z.object({
  userId: word.describe('Tasks of this user, and of all groups of his'),
  workflowInstanceId: word.describe('Tasks of this workflow'),
  workflowModelName: word.describe('Tasks of workflows of this model'),
})

export const actorsQuery = z.object({
  actors: commaList.describe('Users and groups, with user: or group: or without'),
  comment: word.describe('Kept with the task'),
})

export const delegatesQuery = z.object({
  delegatedActors: commaList.describe('Users and groups, with user: or group: or without'),
  comment: word.describe('Kept with the task'),
})

export const fetchedOfTask = z.object({
  'fetch-task': commaList.describe('actors, targetDocumentIds, workflowInitiator'),
})

export const fetchedOfWorkflow = z.object({
  'fetch-workflow': commaList.describe('initiator, attachedDocumentIds'),
})

export const modelQuery = z.object({ workflowModelName: word.describe('Of this model alone') })

export const escalationsSchema = component(
  'escalations',
  z.object({
    'entity-type': z.literal('escalations'),
    entries: z.array(
      z.object({
        node: z.string(),
        rule: z.string(),
        error: z.string().nullable().describe('What it has failed with; null: it has not'),
        executedAt: z.string(),
      }),
    ),
  }),
  'Executions of escalation rules',
)

export const drawing = { description: 'The drawing', content: { 'image/svg+xml': z.string() } }

export const workflowRunsQuery = z.object({
  stuck: flag.describe('Those alone that nobody follows, or whose last escalation has failed'),
  unfollowed: flag.describe('Those alone whose newest change their Temporal workflow has not seen'),
  workflowModelName: word.describe('Of this model alone'),
  after: z.uuid().optional().describe('Those that were started after the one of this id'),
  pageSize: count.describe('Default 1000, maximum 1000'),
})

export const migrateQuery = z.object({ dryRun: flag.describe('Say what would keep it from doing so') })

export const workflowRunSchema = component(
  'workflowRun',
  z.object({
    'entity-type': z.literal('workflowRun'),
    id: z.string(),
    workflowModelName: z.string(),
    initiator: z.string(),
    startedAt: z.string(),
    nodes: z.array(z.string()).describe('Where it waits'),
    temporalId: z.string(),
    isFollowed: z.boolean().describe('Whether its Temporal workflow runs'),
    failedRules: z.array(z.string()).describe('Escalation rules whose last execution has failed'),
  }),
  'A workflow as operators see it',
)

export const workflowRunsSchema = component(
  'workflowRuns',
  z.object({
    'entity-type': z.literal('workflowRuns'),
    entries: z.array(workflowRunSchema),
    nextAfter: z.string().nullable().describe('`after` of the next page; null: this is the last one'),
  }),
  'Workflows that run',
)

const taskCount = {
  open: z.number(),
  overdue: z.number().describe('Of them, those whose due date is over'),
  earliestDue: z.string().nullable(),
}

export const backlogSchema = component(
  'workflowBacklog',
  z.object({
    'entity-type': z.literal('workflowBacklog'),
    open: z.number().describe('Open tasks of workflows that run'),
    overdue: z.number(),
    unfollowed: z.number().describe('Workflows whose newest change Temporal has not seen'),
    models: z.array(z.object({ workflowModelName: z.string(), ...taskCount })),
    nodes: z.array(z.object({ workflowModelName: z.string(), node: z.string(), ...taskCount })),
    assignees: z
      .array(z.object({ assignee: z.string(), ...taskCount }))
      .describe('A task of several counts for each'),
  }),
  'What waits in workflows, the most first',
)

export const migrationSchema = component(
  'workflowMigration',
  z.object({
    'entity-type': z.literal('workflowMigration'),
    id: z.string(),
    isDryRun: z.boolean(),
    obstacles: z.array(z.string()).describe('What keeps it from going on by the newest model'),
  }),
  'Whether a workflow can go on by the model that is deployed now',
)
