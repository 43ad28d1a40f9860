import type { PropertyValue } from '../documents/types.js'

/**
 * An event of the repository, written to the outbox in the transaction of its cause. Names are those of the
 * reference (workflow-audit.md, core events): `documentCreated`, `documentModified`, `lifecycle_transition_event`, …
 */
export type CoreEvent = {
  event: string
  documentId: string | null
  payload: { [option: string]: PropertyValue }
}
