import type { PropertyValue } from '../../../model/properties/index.js'
import type { RunFailure } from '../../language/index.js'

/** A run of a chain that was one transaction of the process that was asked, or of a page of events. */
export type InlineRun = {
  runId: string
  chainId: string
  /** Name of the user for whom it acted. */
  principal: string
  requestId: string
  /** The document that it was called on. */
  documentId?: string | undefined
  /** The event that started it. */
  event?: string | undefined
  /** Its steps, as an operator reads them. */
  title: string
  startedAt: Date
}

export type EndedInlineRun = InlineRun & { closedAt: Date; failure?: RunFailure }

/** What runs are looked for by; all that is given must hold. */
export type RunFilter = {
  chainId?: string | undefined
  principal?: string | undefined
  /** Called on a document by one of these names: its id, or the path that it had. */
  documentIds?: readonly string[] | undefined
  /** Started by an event of this name. */
  event?: string | undefined
  /** Started at or after this. */
  from?: Date | undefined
  /** Started before this. */
  to?: Date | undefined
}

/** What a failed run was asked: enough to ask it again. */
export type InlineRequest = { [field: string]: PropertyValue }

/** The record of inline runs. */
export type InlineRuns = {
  /** Writes a completed run; one that had failed has completed now. */
  complete(run: InlineRun): Promise<void>
  /** The same for several, in one statement. */
  completeAll(runs: readonly InlineRun[]): Promise<void>
  /** Writes a failed run, unless it has completed meanwhile. */
  fail(run: InlineRun, failure: RunFailure, request: InlineRequest): Promise<void>
  /** With what it was asked, when it has failed. */
  find(runId: string): Promise<(EndedInlineRun & { request?: InlineRequest }) | undefined>
  /** Those that ended last first; of those that ended before, when it is given. */
  list(
    filter: RunFilter & { hasFailed?: boolean | undefined },
    page: { limit: number; before?: Date | undefined },
  ): Promise<EndedInlineRun[]>
}
