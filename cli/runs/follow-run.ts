import { EXIT, type ExitCode } from '../failures/index.js'
import { reportEnd } from './lines/report-end.js'
import { type ResultOptions, showResult } from './result/show-result.js'
import { type Watch, watchRun } from './watch-run.js'

export type FollowOptions = ResultOptions & { async?: boolean }

/** Follows a run to its end and prints its result; with `--async` prints its id only. */
export const followRun = async (
  watch: Watch,
  workflowId: string,
  options: FollowOptions,
): Promise<ExitCode> => {
  const { server, terminal } = watch
  if (options.async) {
    terminal.out(options.json ? JSON.stringify({ workflowId }) : workflowId)
    return EXIT.ok
  }
  terminal.error(`Run ${workflowId}`)
  const run = await watchRun(watch, workflowId)
  const exitCode = await reportEnd(watch, run)
  await showResult(server, { run, terminal, options })
  return exitCode
}
