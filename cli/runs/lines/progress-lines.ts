import type { FailedItem, LoopReport, RunEntity } from '../../server/index.js'
import { printableLine } from '../../terminal/index.js'
import { isRunning, loopsOf } from '../run-state.js'

/** `120 of 500 items, 2 failed, stopped at item 120` */
const describeLoop = ({ position, total, failed, stopped }: LoopReport): string =>
  [
    `${position} of ${total} items`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped ? [`stopped at item ${stopped.position}`] : []),
  ].join(', ')

const markOf = (run: RunEntity, status: RunEntity['nodes'][number]['status']): string => {
  if (status === 'done') return '[x]'
  if (status === 'waiting') return '[ ]'
  if (status === 'skipped') return '[-]'
  if (status === 'failed' || status === 'caught') return '[!]'
  return isRunning(run) ? '[>]' : '[!]'
}

/** One line for each step: done `[x]`, running `[>]`, failed `[!]`, skipped `[-]`, waiting `[ ]`. */
export const stepLines = (run: RunEntity): string[] => {
  const loops = loopsOf(run)
  return run.nodes.map(({ kind, title, status }, index) => {
    const loop = loops.get(index)
    const items = loop ? `  ${describeLoop(loop)}` : ''
    return `${markOf(run, status)} ${kind.padEnd(7)} ${printableLine(title)}${items}`
  })
}

const AROUND = 5

/** The steps around the running one, when there are too many to rewrite in place. */
export const liveLines = (run: RunEntity): string[] => {
  const lines = stepLines(run)
  if (lines.length <= 2 * AROUND + 1) return lines
  const running = run.nodes.findIndex(({ status }) => status !== 'done')
  const current = running < 0 ? lines.length - 1 : running
  const from = Math.max(0, Math.min(current - AROUND, lines.length - 2 * AROUND - 1))
  const to = from + 2 * AROUND + 1
  return [
    ...(from > 0 ? [`    ${from} steps before`] : []),
    ...lines.slice(from, to),
    ...(to < lines.length ? [`    ${lines.length - to} steps more`] : []),
  ]
}

/** The changes between two reports of a run, a line for each: for logs. */
export const changedLines = (before: RunEntity | undefined, run: RunEntity): string[] => {
  const known = before ? stepLines(before) : []
  const width = String(run.nodes.length).length
  return stepLines(run).flatMap((line, index) => {
    const isNews = line !== known[index] && run.nodes[index]?.status !== 'waiting'
    return isNews ? [`${String(index + 1).padStart(width)}/${run.nodes.length} ${line}`] : []
  })
}

/** `item 4 /a/b: no such thing (404)`, counted from 0 as the server does; prefixed with `node 1` where the item has a node. */
export const itemLine = ({ node, position, id, path = id, status, message }: FailedItem): string => {
  const place = [...(node === undefined ? [] : [`node ${node}`]), `item ${position}`]
  return printableLine(
    `${[...place, ...(path === undefined ? [] : [path])].join(' ')}: ${message} (${status})`,
  )
}

/** A failed item with its node, where a run has several loops. */
export const placedIn = (run: RunEntity, { node, ...item }: FailedItem): FailedItem => ({
  ...item,
  ...(loopsOf(run).size > 1 && node !== undefined && { node }),
})

const failedItemsOf = (run: RunEntity): FailedItem[] =>
  [...loopsOf(run)].flatMap(([node, { failures, stopped }]) =>
    [...failures, ...(stopped ? [stopped] : [])].map((item) => ({ ...item, node })),
  )

/** Failed items of loops, by position from 0: those after which a loop continued, and those at which one ended. */
export const failureLines = (run: RunEntity): string[] =>
  failedItemsOf(run).map((item) => itemLine(placedIn(run, item)))
