import { defineSearchAttributeKey } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { RouteView } from '../core/automation/routing/following/index.js'

const NODE = defineSearchAttributeKey('Node', 'KEYWORD_LIST')
const ASSIGNEE = defineSearchAttributeKey('Assignee', 'KEYWORD_LIST')
const DUE_DATE = defineSearchAttributeKey('DueDate', 'DATETIME')

/** Values that the index takes of one list. */
const MAX_LISTED = 50

const same = (a: readonly string[] | undefined, b: readonly string[]): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b)

/** Shows operators where a route stands; what has not changed is not written again. */
export const showRoute = ({ status, nodes, assignees, dueDate }: RouteView): void => {
  setCurrentDetails(
    [
      `Status: ${status}`,
      ...(nodes.length > 0 ? [`Waits at: ${nodes.join(', ')}`] : []),
      ...(assignees.length > 0 ? [`Assigned to: ${assignees.join(', ')}`] : []),
      ...(dueDate ? [`Due: ${dueDate}`] : []),
    ].join('\n\n'),
  )
  const { typedSearchAttributes: known } = workflowInfo()
  const listed = { nodes: nodes.slice(0, MAX_LISTED), assignees: assignees.slice(0, MAX_LISTED) }
  const due = dueDate === null ? null : new Date(dueDate)
  const pairs = [
    ...(same(known.get(NODE), listed.nodes) ? [] : [{ key: NODE, value: listed.nodes }]),
    ...(same(known.get(ASSIGNEE), listed.assignees) ? [] : [{ key: ASSIGNEE, value: listed.assignees }]),
    ...(known.get(DUE_DATE)?.getTime() === due?.getTime() ? [] : [{ key: DUE_DATE, value: due }]),
  ]
  if (pairs.length > 0) upsertSearchAttributes(pairs)
}
