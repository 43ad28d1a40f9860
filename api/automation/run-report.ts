import type { LoopFailure, NamedFailure, RunFailure } from '../../core/automation/language/index.js'
import type { StoredLoop } from '../../core/automation/run-store/index.js'
import type { ChainProgress, LoopReport, NodeProgress } from '../../workflows/types.js'
import type { RunDescription } from './run-access.js'
import { incidentFields, type ReportedIncident, type ReportedIncidents } from './run-incidents.js'

/** A loop with the element at which it has ended, where it passes over none. */
export type ReportedLoop = Omit<LoopReport, 'failures'> & {
  failures: readonly NamedFailure[]
  stopped?: NamedFailure
}

export type ReportedNode = Omit<NodeProgress, 'status' | 'loop'> & {
  /** `caught`: an error chain answered its failure, and ended the chain; `skipped`: one behind it. */
  status: NodeProgress['status'] | 'failed' | 'caught' | 'skipped'
  loop?: ReportedLoop
}

/** What a list of runs tells of one, beside what it is. */
export type RunSummary = RunDescription & Pick<RunReport, 'items' | 'incidentCount'>

/** A run with its steps, as far as they are known, and what became of the items of its loops. */
export type RunReport = RunDescription &
  Partial<Omit<ChainProgress, 'nodes' | 'loop'>> & {
    nodes?: readonly ReportedNode[]
    loop?: ReportedLoop
    /** Of all its loops together. */
    items?: { done: number; failed: number; total: number }
    failure?: RunFailure
    /** Failures that were passed over, and error chains that ran: the first in order of time. */
    incidents?: readonly ReportedIncident[]
    /** With those that are not told one by one. */
    incidentCount?: number
  }

type Known = {
  progress: ChainProgress
  loops: readonly StoredLoop[]
  /** Where the page stands that is being walked. */
  page: { position: number; total: number } | undefined
  failure: RunFailure | undefined
  incidents: ReportedIncidents
}

/** What became of a node, where a run ends before its last one. */
const statusOf = (
  { status }: NodeProgress,
  index: number,
  { isRunning, caughtAt }: { isRunning: boolean; caughtAt: number | undefined },
): ReportedNode['status'] => {
  if (status === 'running' && !isRunning) return 'failed'
  if (status !== 'done' || caughtAt === undefined || index < caughtAt) return status
  return index === caughtAt ? 'caught' : 'skipped'
}

const itemsOf = (loops: readonly ReportedLoop[]) => ({
  done: sum(loops, ({ position, failed }) => position - failed),
  failed: sum(loops, ({ failed, stopped }) => failed + (stopped ? 1 : 0)),
  total: sum(loops, ({ total }) => total),
})

const sum = (loops: readonly ReportedLoop[], part: (loop: ReportedLoop) => number): number =>
  loops.reduce((total, loop) => total + part(loop), 0)

/** Elements that are runs of their own fail as what their loop failed with. */
const stoppedBy = (
  { position }: Pick<LoopReport, 'position'>,
  { status, message }: RunFailure,
  documentId?: string | null,
): LoopFailure => ({
  position,
  status,
  message,
  ...(documentId && { id: documentId }),
})

/** What is known of a run from Temporal, its workers and the database. */
export const reportOf = (
  run: RunDescription,
  { progress, loops, page, failure, incidents }: Known,
): RunReport => {
  const isRunning = run.status === 'RUNNING'
  const running = page ? { failed: 0, failures: [], ...progress.loop, ...page } : progress.loop
  const loopOf = (node: NodeProgress, index: number, hasFailed: boolean): ReportedLoop | undefined => {
    const told = node.status === 'running' ? running : node.loop
    const stored = loops.find(({ step }) => step === String(index))
    if (!stored) return told
    const { failed, failures, isWalk, documentId } = stored
    const total = told?.total ?? stored.total
    const position = Math.max(told?.position ?? 0, stored.position)
    // The list of what failed is that of the run whose items it does again.
    if (run.repairs !== undefined) return { position, total, failed, failures: [], ...told }
    const ended = isWalk && failure && position < total && stoppedBy({ position }, failure, documentId)
    const stopped = stored.stopped ?? ended
    return { position, total, failed, failures, ...(hasFailed && stopped && { stopped }) }
  }
  const nodes = progress.nodes.map((node, index): ReportedNode => {
    const status = statusOf(node, index, { isRunning, caughtAt: incidents.caughtAt })
    const loop = loopOf(node, index, status === 'failed' || status === 'caught')
    return { ...node, status, ...(loop && { loop }) }
  })
  const entered = nodes.flatMap(({ loop }) => (loop ? [loop] : []))
  const current = nodes.find(({ status }) => status === 'running')?.loop
  return {
    ...run,
    nodes,
    ...(current && { loop: current }),
    ...(entered.length > 0 && { items: itemsOf(entered) }),
    ...(failure && { failure }),
    ...incidentFields(incidents),
  }
}
