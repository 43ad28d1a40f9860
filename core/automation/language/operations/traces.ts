import type { Session } from '../../../content/documents/index.js'
import type { RunFailure } from '../failures/run-failure.js'
import type { ValueType } from '../values/values.js'

/** A run, or a single operation that was called, as an administrator may read it. */
export type Trace = { startedAt: Date; text(): Promise<string> }

/** A call of a single operation. No value of a parameter is kept: some are secret, some large. */
export type RecordedCall = {
  operation: string
  principal: string
  input: ValueType
  parameters: readonly string[]
  startedAt: Date
  closedAt: Date
  failure?: RunFailure
}

/** Whether this process records traces; runs of chains are recorded elsewhere, always. */
export type TraceRecording = {
  /** Since when; absent: it does not. */
  since?: Date | undefined
  /** Calls of single operations, in the order in which they ended. */
  calls: readonly RecordedCall[]
}

/** Runs of chains that began at or after a moment: the last hundred of each chain, in the order of their beginnings. */
export type RunTraces = (
  session: Pick<Session, 'principal' | 'repository'>,
  search: { chainId: string; since: Date },
) => Promise<readonly Trace[]>
