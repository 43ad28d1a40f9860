import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import type { Tracing } from '../../core/platform/telemetry/index.js'
import type { TracingSinks } from '../../workflows/interceptors/tracing.js'

/** Records the spans of workflows, or, in a worker that is not traced, drops those of callers who are. */
export const tracingSinks = (tracing: Tracing | undefined): InjectedSinks<TracingSinks> => ({
  tracing: {
    ended: {
      fn: (_, { startedAt, ...span }) =>
        tracing?.record({ ...span, startedAt: new Date(startedAt), endedAt: new Date() }),
    },
  },
})

/** A span for each attempt of an activity, below the one of its workflow. */
export const tracingActivities = async (): Promise<ActivityInterceptorsFactory[]> => {
  const { OpenTelemetryActivityInboundInterceptor } = await import('@temporalio/interceptors-opentelemetry')
  return [(context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context) })]
}
