import type { RunFailure } from '../../language/index.js'
import type { StoredIteration } from '../../run-store/index.js'
import type { RunDescription } from '../run.js'
import { incidentFields, type ReportedIncidents } from './incidents.js'
import { type LoopPlace, reportedLoop } from './loops.js'
import type { ChainProgress, NodeProgress } from './progress.js'
import type { ItemCounts, ReportedLoop, ReportedNode, RunReport } from './types.js'

type Known = {
  progress: ChainProgress
  loops: readonly StoredIteration[]
  /** Where the page of a loop stands that is under way. */
  page: LoopPlace | undefined
  failure: RunFailure | undefined
  incidents: ReportedIncidents
}

/** The status of a node of a run that ends before its last one. */
const statusOf = (
  { status }: NodeProgress,
  index: number,
  { isRunning, caughtAt }: { isRunning: boolean; caughtAt: number | undefined },
): ReportedNode['status'] => {
  if (status === 'running' && !isRunning) return 'failed'
  if (status !== 'done' || caughtAt === undefined || index < caughtAt) return status
  return index === caughtAt ? 'caught' : 'skipped'
}

const sum = (loops: readonly ReportedLoop[], part: (loop: ReportedLoop) => number): number =>
  loops.reduce((total, loop) => total + part(loop), 0)

const itemsOf = (loops: readonly ReportedLoop[]): ItemCounts => ({
  done: sum(loops, ({ position, failed }) => position - failed),
  failed: sum(loops, ({ failed, stopped }) => failed + (stopped ? 1 : 0)),
  total: sum(loops, ({ total }) => total),
})

/** The report of a run, from the engine, its workers and the database. */
export const reportOf = (
  run: RunDescription,
  { progress, loops, page, failure, incidents }: Known,
): RunReport => {
  const isRunning = run.status === 'RUNNING'
  const running = page ? { failed: 0, failures: [], ...progress.loop, ...page } : progress.loop
  const nodes = progress.nodes.map((node, index): ReportedNode => {
    const status = statusOf(node, index, { isRunning, caughtAt: incidents.caughtAt })
    const loop = reportedLoop(run, {
      own: node.status === 'running' ? running : node.loop,
      stored: loops.find(({ step }) => step === String(index)),
      hasFailed: status === 'failed' || status === 'caught',
      failure,
    })
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
