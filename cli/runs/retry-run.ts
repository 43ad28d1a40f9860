import { EXIT, type ExitCode } from '../failures/index.js'
import { runEntity } from '../server/index.js'
import { runPath } from './get-run.js'
import { reportEnd } from './run-chain.js'
import { type ResultOptions, showResult } from './show-result.js'
import { type Watch, watchRun } from './watch-run.js'

export type RetryOptions = ResultOptions & { items?: boolean; async?: boolean }

/**
 * Starts a failed run again where it failed, or does the failed items of its loops again in a run of their own, and
 * follows it like any other.
 */
export const retryRun = async (watch: Watch, id: string, options: RetryOptions): Promise<ExitCode> => {
  const { server, terminal } = watch
  const path = `${runPath(id)}${options.items ? '/items' : ''}/retry`
  const { workflowId } = await server.read(runEntity, path, { method: 'POST' })
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
