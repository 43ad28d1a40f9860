import type { LoopFailure, RunFailure } from '../../core/automation/index.js'
import type { ChainProgress, LoopReport, NodeProgress } from '../../workflows/types.js'
import type { RunDescription } from './run-access.js'

export type ReportedNode = Omit<NodeProgress, 'status'> & { status: NodeProgress['status'] | 'failed' }

/** A run with its steps, as far as they are known, and what became of the items of its loops. */
export type RunReport = RunDescription &
  Partial<Omit<ChainProgress, 'nodes'>> & {
    nodes?: readonly ReportedNode[]
    /** Of all its loops together. */
    items?: { done: number; failed: number; total: number }
    failure?: RunFailure
  }

/** Where a loop stands in the database, which knows of every item. */
type StoredLoop = { step: string; position: number; failed: number; failures: readonly LoopFailure[] }

type Known = {
  progress: ChainProgress
  loops: readonly StoredLoop[]
  /** Where the page stands that is being walked. */
  page: { position: number; total: number } | undefined
  failure: RunFailure | undefined
}

const itemsOf = (loops: readonly LoopReport[]) => ({
  done: sum(loops, ({ position, failures, failed = failures.length }) => position - failed),
  failed: sum(loops, ({ failures, failed = failures.length }) => failed),
  total: sum(loops, ({ total }) => total),
})

const sum = (loops: readonly LoopReport[], part: (loop: LoopReport) => number): number =>
  loops.reduce((total, loop) => total + part(loop), 0)

/** What is known of a run from Temporal, its workers and the database. */
export const reportOf = (run: RunDescription, { progress, loops, page, failure }: Known): RunReport => {
  const isRunning = run.status === 'RUNNING'
  const running = page ? { failures: [], ...progress.loop, ...page } : progress.loop
  const loopOf = (node: NodeProgress, index: number): LoopReport | undefined => {
    const told = node.status === 'running' ? running : node.loop
    const stored = loops.find(({ step }) => step === String(index))
    if (!told || !stored) return told
    const { failed, failures } = stored
    return { ...told, position: Math.max(told.position, stored.position), failed, failures }
  }
  const nodes = progress.nodes.map((node, index): ReportedNode => {
    const loop = loopOf(node, index)
    const hasFailed = node.status === 'running' && !isRunning
    return { ...node, ...(hasFailed && { status: 'failed' }), ...(loop && { loop }) }
  })
  const entered = nodes.flatMap(({ loop }) => (loop ? [loop] : []))
  const current = nodes.find(({ status }) => status === 'running')?.loop
  return {
    ...run,
    nodes,
    ...(current && { loop: current }),
    ...(entered.length > 0 && { items: itemsOf(entered) }),
    ...(failure && { failure }),
  }
}
