import type { RunFailure } from './run-failure.js'
/** What something was done to. */
export type IncidentInput = {
  type: string
  documentId?: string
  /** Of a file. */
  name?: string
  /** For who may browse the document. */
  path?: string
}

/** What went wrong in a run and did not end it, or was answered by an error chain. */
export type Incident =
  | {
      kind: 'passedOver'
      /** That of the step which lets the run go on. */
      operation: string
      target: string
      input: IncidentInput
      failure: RunFailure
    }
  | {
      kind: 'errorChain'
      errorChain: string
      /** The chain whose error chain it is, where that is one that the run's own calls. */
      chain?: string
      /** What it answered. */
      after: RunFailure
      outcome: 'completed' | 'failed'
      /** What it failed with. */
      failure?: RunFailure
      /** Nothing of the run's own chain followed. */
      endsRun?: true
    }
