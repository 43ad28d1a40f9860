import type { RunTraces, Trace } from '../language/index.js'
import { runText } from './report/text.js'
import type { RunExecution } from './run.js'
import type { Runs } from './runs.js'

/** Maximum of traced runs of a chain, for each execution. */
const MAX_RUNS = 100

/** Traces from the records of runs, in the repository of the caller. */
export const createRunTraces =
  (runsOf: (repository: string) => Runs): RunTraces =>
  async ({ principal, repository }, { chainId, since }) => {
    const runs = runsOf(repository)
    const list = (execution: RunExecution) =>
      runs.list({ chainId, from: since, execution }, principal, { pageSize: MAX_RUNS })
    const pages = await Promise.all([list('workflow'), list('inline')])
    return (
      pages
        // Lists begin with the latest, which orders runs of the same millisecond.
        .flatMap(({ entries }) => [...entries].reverse())
        .map(
          ({ workflowId, startedAt }): Trace => ({
            startedAt,
            text: async () => runText(await runs.report(workflowId, principal)),
          }),
        )
        .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
        .slice(-MAX_RUNS)
    )
  }
