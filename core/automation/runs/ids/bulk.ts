const PREFIX = 'bulk-'

const RUN_ID = /^bulk-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The run id of a bulk command. */
export const bulkRunId = (commandId: string): string => `${PREFIX}${commandId}`

/** The command of a run, by its id. */
export const bulkCommandOf = (runId: string): string => runId.slice(PREFIX.length)

/** Whether a run's id may be that of a bulk command. */
export const mayBeBulk = (runId: string): boolean => RUN_ID.test(runId)
