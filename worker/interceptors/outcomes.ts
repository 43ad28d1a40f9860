import type { InjectedSinks } from '@temporalio/worker'
import type { WorkMetrics } from '../../core/platform/telemetry/index.js'
import type { OutcomeSinks } from '../../workflows/interceptors/outcomes.js'

/** Counts the runs that end on this worker. */
export const outcomeSinks = ({ runEnded }: Pick<WorkMetrics, 'runEnded'>): InjectedSinks<OutcomeSinks> => ({
  outcomes: {
    ended: { fn: ({ workflowType }, run) => runEnded({ type: workflowType, ...run }) },
  },
})
