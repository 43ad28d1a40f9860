import { CliError, EXIT, type ExitCode } from '../../failures/index.js'
import type { RunEntity } from '../../server/index.js'
import { exitCodeOfRun, failedCount } from '../run-state.js'
import type { Watch } from '../watch-run.js'
import { failureReason } from './failure-reason.js'
import { incidentLines } from './incident-lines.js'
import { failureLines } from './progress-lines.js'

/**
 * Reports how a run ended, and which of its items failed.
 *
 * @returns the exit code of a completed run. @throws CliError for one that is not.
 */
export const reportEnd = async ({ server, terminal }: Watch, run: RunEntity): Promise<ExitCode> => {
  for (const line of [...failureLines(run), ...incidentLines(run)]) terminal.error(line)
  const exitCode = exitCodeOfRun(run)
  if (exitCode === EXIT.ok) return exitCode
  if (run.status === 'COMPLETED') {
    const failed = failedCount(run)
    // What failed again is listed, and retried, in the run that failed first.
    const listed = run.repairs ?? run.workflowId
    terminal.error(`${failed} item${failed === 1 ? '' : 's'} failed again: archivolt logs ${listed}`)
    return exitCode
  }
  const reason = await failureReason(server, run)
  const status = run.status.toLowerCase().replace('_', ' ')
  throw new CliError(exitCode, `The run ${run.workflowId} ${verbOf(status)}${reason ? `: ${reason}` : ''}`)
}

const verbOf = (status: string): string => (status === 'failed' ? status : `was ${status}`)
