import type { NamedFailure, RunFailure } from '../../language/index.js'
import type { LoopReport } from '../../loops/index.js'
import type { RunDescription } from '../run.js'
import type { ReportedIncident } from './incidents.js'
import type { ChainProgress, NodeProgress } from './progress.js'

/** A loop with the element at which it has ended, where it does not continue on errors. */
export type ReportedLoop = Omit<LoopReport, 'failures'> & {
  failures: readonly NamedFailure[]
  stopped?: NamedFailure
}

export type ReportedNode = Omit<NodeProgress, 'status' | 'loop'> & {
  /** `caught`: an error chain handled its failure, and ended the chain; `skipped`: one after it. */
  status: NodeProgress['status'] | 'failed' | 'caught' | 'skipped'
  loop?: ReportedLoop
}

export type ItemCounts = { done: number; failed: number; total: number }

/** A run with its steps, as far as they are known, and the items of its loops. */
export type RunReport = RunDescription &
  Partial<Omit<ChainProgress, 'nodes' | 'loop'>> & {
    nodes?: readonly ReportedNode[]
    loop?: ReportedLoop
    /** Of all its loops together. */
    items?: ItemCounts
    failure?: RunFailure
    /** Failures after which it went on, and error chains that ran: the first in order of time. */
    incidents?: readonly ReportedIncident[]
    /** Number of incidents, those beyond the reported ones included. */
    incidentCount?: number
  }

/** A run in a list. */
export type RunSummary = RunDescription & Pick<RunReport, 'items' | 'incidentCount'>
