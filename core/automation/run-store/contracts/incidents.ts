import {
  type ChainStep,
  finalFailure,
  type Incident,
  type IncidentInput,
  KEPT_MESSAGE,
  type RunFailure,
  type Value,
} from '../../language/index.js'
import type { StepKey } from './receipts.js'
/** As many more of the same transaction are only counted. */
export type KeptIncident = Incident & { omitted?: number }

/** Where it happened and when: the workflow is the run, or one below it. */
export type RecordedIncident = KeptIncident & { workflowId: string; step: string; at: Date }

/** The record of incidents. */
export type Incidents = {
  /** Replaces those of an earlier attempt of the step. */
  record(key: StepKey, incidents: readonly KeptIncident[]): Promise<void>
  /** Those of a run and of the runs below it: the first in order of time, but always what ended the run's own chain. */
  list(workflowId: string, limit: number): Promise<{ entries: RecordedIncident[]; count: number }>
}

/** Incidents of one transaction that are kept one by one. */
const MOST = 100

/** The incidents of an attempt of a transaction, until it is known whether it commits. */
export type IncidentLog = {
  report(incident: Incident): void
  /** Says of the error chain that has run last that nothing follows it. */
  endRun(): void
  /** Forgets those of an attempt that is done again. */
  clear(): void
  all(): readonly KeptIncident[]
}

export const createIncidentLog = (): IncidentLog => {
  let kept: Incident[] = []
  let omitted = 0
  return {
    report: (incident) => {
      if (kept.length < MOST) kept.push(incident)
      else {
        // The last one stays: it may be what ends the run.
        kept[MOST - 1] = incident
        omitted++
      }
    },
    endRun: () => {
      const last = kept.at(-1)
      if (last?.kind === 'errorChain') last.endsRun = true
    },
    clear: () => {
      kept = []
      omitted = 0
    },
    all: () =>
      kept.map((incident, index) => ({
        ...incident,
        ...(omitted > 0 && index === MOST - 1 && { omitted }),
      })),
  }
}

/** A failure in as many words as a record of it has room for. */
export const briefly = ({ code, status, message }: RunFailure): RunFailure => ({
  code,
  status,
  message: message.slice(0, KEPT_MESSAGE),
})

export const incidentInput = (input: Value): IncidentInput => {
  if (input.type === 'document') return { type: 'document', documentId: input.id }
  if (input.type === 'blob') return { type: 'blob', name: input.blob.name ?? '' }
  return { type: input.type }
}

/** A failure in a transaction, or a run, of its own after which its step lets the run go on. */
export const failureIncident = (
  { step, target }: { step: ChainStep; target: string },
  { input, failure }: { input: Value; failure: RunFailure },
): Incident => ({
  kind: 'passedOver',
  operation: step.operation,
  target,
  input: incidentInput(input),
  failure: briefly(failure),
})

/** Whether the incidents of a failed transaction are worth keeping: what is done again reports them again. */
export const isKept = (log: IncidentLog, error: unknown): boolean =>
  log.all().length > 0 && finalFailure(error) !== undefined
