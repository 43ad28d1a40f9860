import type { Client } from '@temporalio/client'
import type { EndedInlineRun, InlineRuns, RunFilter } from '../../core/automation/run-store/index.js'
import type { RunExecution, RunStatus } from './automation.schema.js'
import { readCursor, writeCursor } from './cursor.js'
import { BULK, CHAIN_TYPES, type RunAccess, type RunDescription } from './run-access.js'

/** How runs can stand, as Temporal's visibility tells it. */
const STATES: { readonly [state in RunStatus]: string } = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
}

export type RunsFilter = RunFilter & {
  state?: RunStatus | undefined
  execution?: RunExecution | undefined
}

export type RunPage = { entries: readonly RunDescription[]; pageSize: number; nextCursor?: string }

type Sources = { client: Client; access: RunAccess; inlineRuns: InlineRuns }

/**
 * Behind which run a page begins: running ones come first, by their start, then those that have ended, by their end.
 * Clocks of the two sources are finer than ours, so that runs of the same millisecond are told apart by name.
 */
type Cursor = { isRunning: boolean; at?: number; seen: readonly string[] }

const START: Cursor = { isRunning: true, seen: [] }

/** The end of the year 9999: what is later is written in a way that Temporal does not read. */
const LAST = Date.UTC(9999, 11, 31)

const isCursor = (value: unknown): value is Cursor & { at: number } => {
  const { isRunning, at, seen } = (value ?? {}) as Partial<Cursor>
  const isTime = typeof at === 'number' && at >= 0 && at < LAST
  return typeof isRunning === 'boolean' && isTime && Array.isArray(seen) && seen.every(isText)
}

const isText = (value: unknown): boolean => typeof value === 'string'

const nameOf = ({ workflowId, startedAt }: RunDescription): string => `${workflowId} ${startedAt.getTime()}`

const timeOf = ({ startedAt, closedAt }: RunDescription): number => (closedAt ?? startedAt).getTime()

/** Behind the last run of a page; those of its millisecond on an earlier page are remembered, too. */
const cursorBehind = (entries: readonly RunDescription[], before: Cursor): string => {
  const last = entries.at(-1) as RunDescription
  const isRunning = last.closedAt === undefined
  const at = timeOf(last)
  const same = entries.filter((run) => (run.closedAt === undefined) === isRunning && timeOf(run) === at)
  const earlier = before.isRunning === isRunning && before.at === at ? before.seen : []
  const cursor: Cursor = { isRunning, at, seen: [...earlier, ...same.map(nameOf)] }
  return writeCursor(cursor)
}

export const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`

const TYPES = { any: [...CHAIN_TYPES, BULK], workflow: CHAIN_TYPES, bulk: [BULK], inline: [] } as const

/** Runs that somebody has asked for; parts of theirs are found by way of them. */
const conditionsOf = ({ execution, chainId, principal, documentIds, from, to }: RunsFilter): string[] => [
  `WorkflowType IN (${TYPES[execution ?? 'any'].map(quoted).join(', ')})`,
  'ParentWorkflowId IS NULL',
  ...(chainId === undefined ? [] : [`ChainId = ${quoted(chainId)}`]),
  ...(principal === undefined ? [] : [`Principal = ${quoted(principal)}`]),
  ...(documentIds === undefined ? [] : [`DocumentId IN (${documentIds.map(quoted).join(', ')})`]),
  ...(from === undefined ? [] : [`StartTime >= '${from.toISOString()}'`]),
  ...(to === undefined ? [] : [`StartTime < '${to.toISOString()}'`]),
]

/** Just behind a millisecond. */
const endOf = (at: number): Date => new Date(at + 1)

const fromTemporal = async (
  { client, access }: Sources,
  {
    filter,
    conditions,
    seen,
    limit,
  }: { filter: RunsFilter; conditions: readonly string[]; seen: readonly string[]; limit: number },
): Promise<RunDescription[]> => {
  const found: RunDescription[] = []
  if (filter.execution === 'inline') return found
  const query = [...conditionsOf(filter), ...conditions].join(' AND ')
  for await (const info of client.workflow.list({ query, pageSize: limit + seen.length })) {
    const run = access.describe(info)
    if (!seen.includes(nameOf(run))) found.push(run)
    if (found.length >= limit) break
  }
  return found
}

export const describeInline = ({
  runId,
  title: _,
  requestId: __,
  failure,
  ...run
}: EndedInlineRun): RunDescription => ({
  ...run,
  workflowId: runId,
  execution: 'inline',
  status: failure ? 'FAILED' : 'COMPLETED',
})

const runningRuns = (
  sources: Sources,
  { filter, cursor, limit }: { filter: RunsFilter; cursor: Cursor; limit: number },
): Promise<RunDescription[]> | RunDescription[] => {
  const isAsked = filter.state === undefined || filter.state === 'RUNNING'
  if (!cursor.isRunning || !isAsked) return []
  const behind = cursor.at === undefined ? [] : [`StartTime < '${endOf(cursor.at).toISOString()}'`]
  const conditions = ["ExecutionStatus = 'Running'", ...behind]
  return fromTemporal(sources, { filter, conditions, seen: cursor.seen, limit })
}

const inlineRuns = async (
  { inlineRuns: runs }: Sources,
  {
    filter,
    before,
    seen,
    limit,
  }: { filter: RunsFilter; before?: Date | undefined; seen: readonly string[]; limit: number },
): Promise<RunDescription[]> => {
  const { state, execution, ...rest } = filter
  if (execution !== undefined && execution !== 'inline') return []
  if (state !== undefined && state !== 'COMPLETED' && state !== 'FAILED') return []
  const hasFailed = state === undefined ? undefined : state === 'FAILED'
  const found = await runs.list({ ...rest, hasFailed }, { limit: limit + seen.length, before })
  return found.map(describeInline).filter((run) => !seen.includes(nameOf(run)))
}

/** Ended runs of both sources, those that ended last first. */
const endedRuns = async (
  sources: Sources,
  { filter, cursor, limit }: { filter: RunsFilter; cursor: Cursor; limit: number },
): Promise<RunDescription[]> => {
  if (limit <= 0 || filter.state === 'RUNNING') return []
  const { at, seen } = cursor.isRunning ? { at: undefined, seen: [] } : cursor
  const before = at === undefined ? undefined : endOf(at)
  const status = filter.state
    ? `ExecutionStatus = '${STATES[filter.state]}'`
    : "ExecutionStatus != 'Running' AND ExecutionStatus != 'ContinuedAsNew'"
  const conditions = [status, ...(before ? [`CloseTime < '${before.toISOString()}'`] : [])]
  const [workflows, inline] = await Promise.all([
    fromTemporal(sources, { filter, conditions, seen, limit }),
    inlineRuns(sources, { filter, before, seen, limit }),
  ])
  return [...workflows, ...inline].sort((a, b) => timeOf(b) - timeOf(a)).slice(0, limit)
}

/**
 * A page of runs, from Temporal's visibility and the record of inline ones: those that are running, the latest
 * first, then those that have ended, the last to end first. Visibility lags some milliseconds behind.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const listRuns = async (
  sources: Sources,
  filter: RunsFilter,
  { pageSize, cursor: given }: { pageSize: number; cursor?: string | undefined },
): Promise<RunPage> => {
  const cursor = readCursor(given, { isPlace: isCursor, pages: 'runs' }) ?? START
  const limit = pageSize + 1
  const running = await runningRuns(sources, { filter, cursor, limit })
  const ended = await endedRuns(sources, { filter, cursor, limit: limit - running.length })
  const found = [...running, ...ended]
  const entries = found.slice(0, pageSize)
  return {
    entries,
    pageSize,
    ...(found.length > pageSize && { nextCursor: cursorBehind(entries, cursor) }),
  }
}
