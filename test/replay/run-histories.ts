import { execFile } from 'node:child_process'
import { isDeepStrictEqual, promisify } from 'node:util'
import { findTemporal } from '../../stack/temporal/index.js'
import type { RecordedHistory } from './read-history.js'
import { withoutOrigin } from './without-origin.js'

/** A run at a Temporal server, `host:port`; without `runId` the latest of its id. */
export type RecordedRun = { address: string; workflowId: string; runId?: string }

/** The history of a run in the form that the SDK reads again. */
const historyOf = async ({ address, workflowId, runId }: RecordedRun): Promise<RecordedHistory> => {
  const command = await findTemporal({ env: process.env, onBuild: () => undefined })
  const run = runId === undefined ? [] : ['--run-id', runId]
  const args = ['workflow', 'show', '--address', address, '--workflow-id', workflowId, '--output', 'json']
  const { stdout } = await promisify(execFile)(command, [...args, ...run], { maxBuffer: 64 * 1024 * 1024 })
  return withoutOrigin(JSON.parse(stdout)) as RecordedHistory
}

/** The histories of a workflow id, from its first run on: what each continued as, and what it was reset to last. */
export const historiesOf = async (run: RecordedRun): Promise<RecordedHistory[]> => {
  const latest = await historyOf(run)
  const histories: RecordedHistory[] = []
  let runId = latest.events[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId
  while (runId) {
    const history = await historyOf({ ...run, runId })
    histories.push(history)
    runId = history.events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return isDeepStrictEqual(histories.at(-1), latest) ? histories : [...histories, latest]
}
