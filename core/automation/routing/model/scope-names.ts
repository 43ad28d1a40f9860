/** What expressions and chains of a workflow know by name, beside what all expressions know (workflow-audit.md §2). */
export const SCOPE_NAMES = [
  ...['WorkflowVariables', 'NodeVariables', 'workflowInitiator', 'workflowStartTime', 'workflowParent'],
  ...['workflowParentNode', 'workflowInstanceId', 'WorkflowId', 'taskDueTime', 'workflowDocuments'],
  ...['documents', 'nodeId', 'nodeState', 'state', 'nodeStartTime', 'nodeEndTime', 'nodeLastActor'],
  ...['comment', 'transition'],
] as const

export type ScopeName = (typeof SCOPE_NAMES)[number]
