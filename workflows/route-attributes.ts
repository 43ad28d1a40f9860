import { defineSearchAttributeKey } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { RouteView } from '../core/automation/routing/following/index.js'

const NODE = defineSearchAttributeKey('Node', 'KEYWORD_LIST')
const ASSIGNEE = defineSearchAttributeKey('Assignee', 'KEYWORD_LIST')
const ESCALATION = defineSearchAttributeKey('Escalation', 'KEYWORD_LIST')
const DUE_DATE = defineSearchAttributeKey('DueDate', 'DATETIME')

/** Values that the index takes of one list. */
const MAX_LISTED = 50

const same = (a: readonly string[] | undefined, b: readonly string[]): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b)

type Escalations = NonNullable<RouteView['escalations']>[number]

const escalationLine = ({ node, rule, executed, executedAt, failedAt }: Escalations): string => {
  const done = executedAt === null ? [] : [`executed ${executed} times, last at ${executedAt}`]
  const failed = failedAt === null ? [] : [`failed at ${failedAt}`]
  return `Escalation of ${node}: ${rule}, ${[...done, ...failed].join(', ')}`
}

/** By which operators find a route: `node: rule`, and the same with `failed` while its last execution has failed. */
const escalationValues = ({ node, rule, executed, failedAt }: Escalations): string[] => [
  ...(executed > 0 ? [`${node}: ${rule}`] : []),
  ...(failedAt === null ? [] : [`${node}: ${rule} failed`]),
]

/** Shows operators where a route stands; what has not changed is not written again. */
export const showRoute = ({ status, nodes, assignees, dueDate, escalations = [] }: RouteView): void => {
  setCurrentDetails(
    [
      `Status: ${status}`,
      ...(nodes.length > 0 ? [`Waits at: ${nodes.join(', ')}`] : []),
      ...(assignees.length > 0 ? [`Assigned to: ${assignees.join(', ')}`] : []),
      ...(dueDate ? [`Due: ${dueDate}`] : []),
      ...escalations.map(escalationLine),
    ].join('\n\n'),
  )
  const { typedSearchAttributes: known } = workflowInfo()
  const listed = {
    nodes: nodes.slice(0, MAX_LISTED),
    assignees: assignees.slice(0, MAX_LISTED),
    escalations: escalations.flatMap(escalationValues).slice(0, MAX_LISTED),
  }
  const due = dueDate === null ? null : new Date(dueDate)
  const pairs = [
    ...(same(known.get(NODE), listed.nodes) ? [] : [{ key: NODE, value: listed.nodes }]),
    ...(same(known.get(ASSIGNEE), listed.assignees) ? [] : [{ key: ASSIGNEE, value: listed.assignees }]),
    ...(same(known.get(ESCALATION), listed.escalations)
      ? []
      : [{ key: ESCALATION, value: listed.escalations }]),
    ...(known.get(DUE_DATE)?.getTime() === due?.getTime() ? [] : [{ key: DUE_DATE, value: due }]),
  ]
  if (pairs.length > 0) upsertSearchAttributes(pairs)
}
