import type { RunFilter } from '../../run-store/index.js'
import type { RunDescription, RunExecution, RunStatus } from '../run.js'

export type RunsFilter = RunFilter & {
  state?: RunStatus | undefined
  execution?: RunExecution | undefined
}

/** Runs of one half of a list: those that go on, or those that have ended. */
export type ListedHalf = {
  filter: RunsFilter
  isRunning: boolean
  /** Of those that go on, begun before this; of the others, ended before this. Absent: any. */
  before?: Date | undefined
  limit: number
}

export type ListPage = { pageSize: number; cursor?: string | undefined }

/** A page of runs: those that go on, the latest first, then those that have ended, the last to end first. */
export type RunPage<Run extends RunDescription = RunDescription> = {
  entries: readonly Run[]
  pageSize: number
  nextCursor?: string
}
