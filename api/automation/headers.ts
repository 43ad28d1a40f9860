/** The header that names the run of an answer. */
export const WORKFLOW_ID = 'Archivolt-Workflow-Id'

/** The header of an answer that is that of an earlier call with the same `Idempotency-Key`. */
export const REPLAYED = 'Idempotent-Replayed'
