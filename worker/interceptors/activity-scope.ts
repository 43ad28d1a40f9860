import { trace } from '@opentelemetry/api'
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker'
import { withLogFields } from '../../core/platform/telemetry/index.js'
import type { WorkerMetrics } from '../metrics.js'

/** The argument of every activity contains the id of its request. */
const requestIdOf = ({ args: [input] }: ActivityExecuteInput): string | undefined => {
  if (typeof input !== 'object' || input === null || !('requestId' in input)) return undefined
  return typeof input.requestId === 'string' ? input.requestId : undefined
}

/** Adds run, activity and request to each log line of an activity, and measures it. */
export const activityScope =
  (metrics: WorkerMetrics | undefined): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        const requestId = requestIdOf(input)
        if (requestId) trace.getActiveSpan()?.setAttribute('archivolt.request_id', requestId)
        const { workflowId, runId } = info.workflowExecution ?? {}
        const { activityType: activity, attempt } = info
        const startedAt = performance.now()
        let outcome: 'completed' | 'failed' = 'failed'
        try {
          const fields = { requestId, workflowId, runId, activity, attempt }
          const result = await withLogFields(fields, () => next(input))
          outcome = 'completed'
          return result
        } finally {
          metrics?.observe({ activity, outcome, seconds: (performance.now() - startedAt) / 1000 })
        }
      },
    },
  })
