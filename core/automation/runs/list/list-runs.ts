import type { InlineRuns } from '../../run-store/index.js'
import { describeInline } from '../inline/describe.js'
import type { RunDescription } from '../run.js'
import { cursorAfter, nameOf, type Place, readPlace, timeOf } from './place.js'
import type { ListedHalf, ListPage, RunPage, RunsFilter } from './types.js'

/** The sources of runs: the engine and the records of inline runs. */
export type ListSources = {
  /** Eventually consistent: its list lags by some milliseconds. */
  workflows(half: ListedHalf): Promise<RunDescription[]>
  inlineRuns: Pick<InlineRuns, 'list'>
}

type Half = { filter: RunsFilter; place: Place; limit: number }

/** The millisecond after. */
const endOf = (at: number): Date => new Date(at + 1)

const unseen = (runs: readonly RunDescription[], seen: readonly string[]): RunDescription[] =>
  runs.filter((run) => !seen.includes(nameOf(run)))

const workflowRuns = async (
  { workflows }: ListSources,
  { seen, limit, ...half }: ListedHalf & { seen: readonly string[] },
): Promise<RunDescription[]> => {
  if (half.filter.execution === 'inline') return []
  const found = await workflows({ ...half, limit: limit + seen.length })
  return unseen(found, seen).slice(0, limit)
}

const inlineRuns = async (
  { inlineRuns: runs }: ListSources,
  { filter, before, limit, seen }: Omit<ListedHalf, 'isRunning'> & { seen: readonly string[] },
): Promise<RunDescription[]> => {
  const { state, execution, ...rest } = filter
  if (execution !== undefined && execution !== 'inline') return []
  if (state !== undefined && state !== 'COMPLETED' && state !== 'FAILED') return []
  const hasFailed = state === undefined ? undefined : state === 'FAILED'
  const found = await runs.list({ ...rest, hasFailed }, { limit: limit + seen.length, before })
  return unseen(found.map(describeInline), seen)
}

const runningRuns = async (
  sources: ListSources,
  { filter, place, limit }: Half,
): Promise<RunDescription[]> => {
  const isAsked = filter.state === undefined || filter.state === 'RUNNING'
  if (!place.isRunning || !isAsked) return []
  const before = place.at === undefined ? undefined : endOf(place.at)
  return workflowRuns(sources, { filter, isRunning: true, before, seen: place.seen, limit })
}

/** Ended runs of both sources, those that ended last first. */
const endedRuns = async (sources: ListSources, { filter, place, limit }: Half): Promise<RunDescription[]> => {
  if (limit <= 0 || filter.state === 'RUNNING') return []
  const { at, seen } = place.isRunning ? { at: undefined, seen: [] } : place
  const half = { filter, before: at === undefined ? undefined : endOf(at), seen, limit }
  const [workflows, inline] = await Promise.all([
    workflowRuns(sources, { ...half, isRunning: false }),
    inlineRuns(sources, half),
  ])
  return [...workflows, ...inline].sort((a, b) => timeOf(b) - timeOf(a)).slice(0, limit)
}

/**
 * A page of runs of all executions: running ones, the latest first, then ended ones, the last to end
 * first.
 *
 * @throws badRequest for an invalid cursor.
 */
export const listRuns = async (
  sources: ListSources,
  filter: RunsFilter,
  { pageSize, cursor }: ListPage,
): Promise<RunPage> => {
  const place = readPlace(cursor)
  const limit = pageSize + 1
  const running = await runningRuns(sources, { filter, place, limit })
  const ended = await endedRuns(sources, { filter, place, limit: limit - running.length })
  const found = [...running, ...ended]
  const entries = found.slice(0, pageSize)
  return {
    entries,
    pageSize,
    ...(found.length > pageSize && { nextCursor: cursorAfter(entries, place) }),
  }
}
