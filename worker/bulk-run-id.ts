const PREFIX = 'bulk-'

/** The workflow id of a bulk command. */
export const bulkRunId = (commandId: string): string => `${PREFIX}${commandId}`

/** The command that a workflow runs, by its id. */
export const bulkCommandOf = (workflowId: string): string => workflowId.slice(PREFIX.length)
