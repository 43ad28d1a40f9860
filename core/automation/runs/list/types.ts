import type { RunFilter } from '../../run-store/index.js'
import type { RunDescription, RunExecution, RunStatus } from '../run.js'

export type RunsFilter = RunFilter & {
  state?: RunStatus | undefined
  execution?: RunExecution | undefined
}

/** One half of a list of runs: running or ended ones. */
export type ListedHalf = {
  filter: RunsFilter
  isRunning: boolean
  /** Running ones started before this; ended ones ended before this. Absent: any. */
  before?: Date | undefined
  limit: number
}

export type ListPage = { pageSize: number; cursor?: string | undefined }

/** A page of runs: running ones, the latest first, then ended ones, the last to end first. */
export type RunPage<Run extends RunDescription = RunDescription> = {
  entries: readonly Run[]
  pageSize: number
  nextCursor?: string
}
