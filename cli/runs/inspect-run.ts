import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { failedItemLines } from './failed-items.js'
import { getRun, resultPath } from './get-run.js'
import { logLines, statusLines } from './lines/describe-run.js'
import { failureReason } from './lines/failure-reason.js'
import { reportEnd } from './lines/report-end.js'
import { type ResultOptions, showResult } from './result/show-result.js'
import { exitCodeOfRun, isRunning } from './run-state.js'
import { type Watch, watchRun } from './watch-run.js'

export type StatusOptions = { watch?: boolean; json?: boolean }

/** Without rewriting, lines go to the same stream as the state: two streams would lose their order. */
const watchHere = (watch: Watch, { json }: StatusOptions): Watch => {
  const { terminal } = watch
  return json || terminal.stderr.isTTY ? watch : { ...watch, terminal: { ...terminal, error: terminal.out } }
}

/** Shows the state of a run. The exit code reports how it ended. */
export const showStatus = async (watch: Watch, id: string, options: StatusOptions): Promise<ExitCode> => {
  const { server, terminal } = watch
  const run = options.watch ? await watchRun(watchHere(watch, options), id) : await getRun(server, id)
  if (options.json) terminal.out(JSON.stringify(run))
  else for (const line of statusLines(run, await failureReason(server, run))) terminal.out(line)
  return exitCodeOfRun(run)
}

/** Shows the details of a run. The exit code is that of the request, not of the run. */
export const showLogs = async ({ server, terminal }: Watch, id: string): Promise<ExitCode> => {
  const run = await getRun(server, id)
  const items = await failedItemLines(server, run)
  for (const line of logLines(run, items, await failureReason(server, run))) terminal.out(line)
  return EXIT.ok
}

/** Prints the result of a run that has ended. */
export const showResultOf = async (watch: Watch, id: string, options: ResultOptions): Promise<ExitCode> => {
  const run = await getRun(watch.server, id)
  if (isRunning(run))
    throw new CliError(EXIT.notFound, `The run ${id} is still running: archivolt status ${id} --watch`)
  const exitCode = await reportEnd(watch, run)
  await showResult(watch.server, { run, terminal: watch.terminal, options })
  return exitCode
}

/** Cancels a run: the running step is rolled back, committed ones stay. */
export const cancelRun = async ({ server, terminal }: Watch, id: string): Promise<ExitCode> => {
  const run = await getRun(server, id)
  if (!isRunning(run))
    throw new CliError(EXIT.conflict, `The run ${id} has ended already: ${run.status.toLowerCase()}`)
  await server.call(resultPath(run.chainId, id), { method: 'DELETE' })
  terminal.error(`Cancelling the run ${id}; to continue it later: archivolt retry ${id}`)
  return EXIT.ok
}
