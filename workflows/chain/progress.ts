import type { LoopReport } from '../../core/automation/loops/index.js'
import type { ChainProgress, ChainRun } from './types.js'

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

const SHOWN_FAILURES = 10

const describeLoop = ({ position, total, failed }: LoopReport): string =>
  `: ${position} of ${total} items${failed > 0 ? `, ${failed} failed` : ''}`

const failureLines = ({ failures, failed }: LoopReport): string[] => {
  const more = failed - SHOWN_FAILURES
  return [
    ...failures.slice(0, SHOWN_FAILURES).map(({ position, message, ...document }) => {
      const name = document.path ?? document.id
      return `    - item ${position}${name ? ` ${name}` : ''}: ${message}`
    }),
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
