import { z } from 'zod'
import { variable } from './variables.js'

const text = z.string()
const name = z.string().min(1)
const expression = z.string().min(1)

/** A way out of a node. */
const transition = z.strictObject({
  name,
  label: text.default(''),
  targetId: name.describe('The node that it leads to'),
  condition: expression.default('true').describe('An expression that gives true or false'),
  chain: name.optional().describe('Runs when it is taken'),
  path: z.array(z.strictObject({ x: z.number(), y: z.number() })).default([]),
})

const button = z.strictObject({
  name,
  label: text.default(''),
  filter: text.optional().describe('An expression: false hides the button'),
  validate: z.boolean().default(true),
})

/** A rule that is evaluated while the node waits (workflow-audit.md §2, Escalation). */
const escalationRule = z.strictObject({
  name,
  label: text.default(''),
  condition: expression,
  multipleExecution: z.boolean().default(false).describe('true: again each time that it holds'),
  chain: name,
})

/** A node of a route, by the names of the reference (workflow-audit.md §2). */
export const node = z.strictObject({
  title: text.default(''),
  description: text.default(''),
  start: z.boolean().default(false),
  stop: z.boolean().default(false),
  taskX: z.number().default(0),
  taskY: z.number().default(0),
  variables: z.record(z.string(), variable).default({}),
  globalVariables: z
    .array(name)
    .default([])
    .describe('Variables of the route that its task shows, and its completion may set'),
  merge: z.enum(['one', 'all']).optional().describe('Waits for one transition into it, or for all'),
  executeOnlyFirstTransition: z.boolean().default(false),
  inputChain: name.optional(),
  outputChain: name.optional(),
  transitions: z.array(transition).default([]),
  hasTask: z.boolean().default(false),
  hasMultipleTasks: z.boolean().default(false).describe('A task for each assignee'),
  taskDocType: text.default('RoutingTask'),
  taskDirective: text.default(''),
  taskDescription: text.default(''),
  taskAssignees: z.array(name).default([]),
  taskAssigneesExpr: expression.optional(),
  taskAssigneesPermission: name.optional().describe('Granted on the documents while the task is open'),
  taskDueDateExpr: expression.optional(),
  taskLayout: text.default(''),
  taskNotificationTemplate: text.optional(),
  taskButtons: z.array(button).default([]),
  allowTaskReassignment: z.boolean().default(false),
  subRouteModelExpr: expression.optional().describe('A model, or an expression after `expr:` or in `@{…}`'),
  subRouteVariables: z.array(z.strictObject({ key: name, value: text })).default([]),
  escalationRules: z.array(escalationRule).default([]),
})

export type NodeModel = z.output<typeof node>
export type Transition = z.output<typeof transition>
export type Button = z.output<typeof button>
export type EscalationRule = z.output<typeof escalationRule>
