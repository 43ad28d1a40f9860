import type { EndedInlineRun } from '../../run-store/index.js'
import type { RunDescription } from '../run.js'

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
