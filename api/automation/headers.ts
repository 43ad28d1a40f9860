/** The header that names the run of an answer. */
export const WORKFLOW_ID = 'Archivolt-Workflow-Id'

/** The header of an answer that is that of an earlier call with the same `Idempotency-Key`. */
export const REPLAYED = 'Idempotent-Replayed'

/** Both, for the descriptions of routes. */
export const headers = {
  [WORKFLOW_ID]: 'Id of the run, for chains',
  [REPLAYED]: 'true: the run is that of an earlier call with the same Idempotency-Key',
}
