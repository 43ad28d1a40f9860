import { WARNING } from '../warnings/index.js'

/** The response header that names the run. */
export const WORKFLOW_ID = 'Archivolt-Workflow-Id'

/** The header of a response that repeats an earlier call with the same `Idempotency-Key`. */
export const REPLAYED = 'Idempotent-Replayed'

/** All of them, for the descriptions of routes. */
export const headers = {
  [WORKFLOW_ID]: 'Id of the run, for chains',
  [REPLAYED]: 'true: the run is that of an earlier call with the same Idempotency-Key',
  [WARNING]: 'Parameters and members of the call that there are none of, with what was probably meant',
}
