import type { ChainFailure } from '../core/automation/execution/index.js'
import type { LoopFailure, KEPT_MESSAGE as LoopMessageKept } from '../core/automation/language/index.js'
import type { RepairPage } from '../core/automation/loops/index.js'
import type { ChainProgress, ChainRun, LoopReport } from './types.js'

/** How far a run has come: nodes before `current` are done. */
export const progressOf = ({ plan, loops = {} }: ChainRun, current: number): ChainProgress => ({
  chainId: plan.chainId,
  nodes: plan.nodes.map(({ title, kind }, index) => ({
    title,
    kind,
    status: index < current ? 'done' : index === current ? 'running' : 'waiting',
    ...(index < current && loops[index] && { loop: loops[index] }),
  })),
  ...(loops[current] && { loop: loops[current] }),
})

/** What came of the elements that were to be repaired, out of where their whole loop stands. */
export const repairedOf = ({ failures }: LoopReport, positions: readonly number[]): LoopReport => {
  const left = failures.filter(({ position }) => positions.includes(position))
  return { position: positions.length, total: positions.length, failed: left.length, failures: left }
}

/** Failures that travel with a run that does all failed elements again, page by page. */
const KEPT_OF_REPAIRS = 100

/** Told to whoever reads how far a workflow is, too. */
export const KEPT_MESSAGE: typeof LoopMessageKept = 500

/** What came of the pages of failed elements that are behind a run. */
export const repairedSoFar = (before: LoopReport | undefined, page: RepairPage): LoopReport => ({
  position: page.position,
  total: page.total,
  failed: (before?.failed ?? 0) + page.failed,
  failures: [...(before?.failures ?? []), ...page.failures].slice(0, KEPT_OF_REPAIRS),
})

const NOTHING: LoopReport = { position: 0, total: 0, failed: 0, failures: [] }

/** What is behind a run that does failed elements one by one, of which so many are left. */
export const repairingOf = (before: LoopReport = NOTHING, left: number): LoopReport => ({
  ...before,
  total: before.position + left,
})

/** The same behind one of them. @param left this one included. */
export const repairedElement = (
  before: LoopReport = NOTHING,
  { left, failed, failure }: { left: number; failed: LoopFailure; failure: ChainFailure | undefined },
): LoopReport => {
  const { status, message } = failure ?? failed
  const again = failure ? [{ ...failed, status, message: message.slice(0, KEPT_MESSAGE) }] : []
  return {
    position: before.position + 1,
    total: before.position + left,
    failed: before.failed + again.length,
    failures: [...before.failures, ...again].slice(0, KEPT_OF_REPAIRS),
  }
}

const SHOWN_FAILURES = 10

const describeLoop = ({ position, total, failed }: LoopReport): string =>
  `: ${position} of ${total} items${failed > 0 ? `, ${failed} failed` : ''}`

const failureLines = ({ failures, failed }: LoopReport): string[] => {
  const more = failed - SHOWN_FAILURES
  return [
    ...failures
      .slice(0, SHOWN_FAILURES)
      .map(({ position, id, message }) => `    - item ${position}${id ? ` ${id}` : ''}: ${message}`),
    ...(more > 0 ? [`    - and ${more} more`] : []),
  ]
}

const MARKS = { done: '[x]', running: '[ ] **running**', waiting: '[ ]' } as const

/** The steps as Markdown, for an operator to read beside the history. */
export const detailsOf = ({ nodes, loop: running }: ChainProgress): string =>
  nodes
    .flatMap(({ title, kind, status, loop = status === 'running' ? running : undefined }) => [
      `- ${MARKS[status]} ${kind}: ${title}${loop ? describeLoop(loop) : ''}`,
      ...(loop ? failureLines(loop) : []),
    ])
    .join('\n')
