import type { RunEntity } from '../../server/index.js'
import { printableLine } from '../../terminal/index.js'
import { failedCount, isRunning } from '../run-state.js'
import { duration } from './duration.js'
import { incidentLines } from './incident-lines.js'
import { failureLines, stepLines } from './progress-lines.js'

const SHOWN_FAILURES = 5

const field = (name: string, value: string): string => `${name.padEnd(8)} ${printableLine(value)}`

const timeOf = ({ startedAt, closedAt }: RunEntity): string => {
  const end = closedAt === undefined ? Date.now() : Date.parse(closedAt)
  return `${startedAt}, ${closedAt === undefined ? 'for' : 'took'} ${duration(end - Date.parse(startedAt))}`
}

const header = (run: RunEntity): string[] => [
  field('run', run.workflowId),
  field('chain', run.chainId),
  field('user', run.principal),
  field('status', run.status.toLowerCase()),
  field('started', timeOf(run)),
  ...(run.workflowUrl ? [field('watch', run.workflowUrl)] : []),
  ...(run.unreadable === undefined ? [] : [field('note', run.unreadable)]),
]

const reasonLines = (reason: string | undefined): string[] =>
  reason === undefined ? [] : [field('reason', reason)]

/** A summary of a run: its state and how many items failed. */
export const statusLines = (run: RunEntity, reason?: string): string[] => {
  const failures = failureLines(run)
  const more = failedCount(run) - SHOWN_FAILURES
  const incidents = incidentLines(run)
  const others = incidents.length - SHOWN_FAILURES
  return [
    ...header(run),
    ...reasonLines(reason),
    ...stepLines(run),
    ...failures.slice(0, SHOWN_FAILURES),
    ...(more > 0 ? [`and ${more} more: archivolt logs ${run.workflowId}`] : []),
    ...incidents.slice(0, SHOWN_FAILURES),
    ...(others > 0 ? [`and ${others} more of these: archivolt logs ${run.workflowId}`] : []),
  ]
}

/** All details of a run: its steps and its failures. */
export const logLines = (run: RunEntity, items: readonly string[], reason?: string): string[] => [
  ...header(run),
  ...reasonLines(reason),
  '',
  ...stepLines(run),
  ...(isRunning(run) ? [] : ['', endLine(run)]),
  ...items,
  ...incidentLines(run),
]

const endLine = (run: RunEntity): string => {
  const done = run.nodes.filter(({ status }) => status === 'done').length
  const failed = failedCount(run)
  return `${done} of ${run.nodes.length} steps done, ${failed} ${failed === 1 ? 'item' : 'items'} failed`
}
