import { z } from 'zod'

/** The fields of responses on document workflows that the command line reads; others are ignored. */
export const workflowRunEntity = z.object({
  id: z.string(),
  workflowModelName: z.string(),
  initiator: z.string(),
  startedAt: z.string(),
  nodes: z.array(z.string()),
  temporalId: z.string(),
  isFollowed: z.boolean(),
  failedRules: z.array(z.string()),
})

export type WorkflowRunEntity = z.output<typeof workflowRunEntity>

export const workflowRunsEntity = z.object({
  entries: z.array(workflowRunEntity),
  nextAfter: z.string().nullable(),
})

const taskCount = { open: z.number(), overdue: z.number(), earliestDue: z.string().nullable() }

export const workflowBacklogEntity = z.object({
  open: z.number(),
  overdue: z.number(),
  unfollowed: z.number(),
  nodes: z.array(z.object({ workflowModelName: z.string(), node: z.string(), ...taskCount })),
  assignees: z.array(z.object({ assignee: z.string(), ...taskCount })),
})

export const workflowMigrationEntity = z.object({ obstacles: z.array(z.string()) })

const texts = z.array(z.string())

export const workflowTrialEntity = z.object({
  state: z.string(),
  endedAt: z.string(),
  isComplete: z.boolean(),
  variables: z.record(z.string(), z.json()),
  entries: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      workflowModelName: z.string(),
      node: z.string().optional(),
      chain: z.string().optional(),
      transitions: texts.optional(),
      actors: texts.optional(),
      dueDate: z.string().optional(),
      state: z.string().optional(),
      actor: z.string().optional(),
      button: z.string().optional(),
      rule: z.string().optional(),
      to: texts.optional(),
      subject: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
  openTasks: z.array(z.object({ node: z.string(), actors: texts, dueDate: z.string().nullable() })),
  warnings: texts,
  unusedAnswers: z.array(z.object({ node: z.string(), button: z.string() })),
})

export type WorkflowTrialEntity = z.output<typeof workflowTrialEntity>
