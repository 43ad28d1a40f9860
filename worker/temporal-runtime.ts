import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'
import { shortened } from '../core/platform/limits/index.js'
import type { WorkflowLogAttributes } from '../workflows/interceptors/log-attributes.js'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/** Our names of the fields that Temporal's SDK logs of a run or an activity; others are in the run's history. */
const fieldsOf = (meta: NonNullable<LogEntry['meta']>) => ({
  component: meta.sdkComponent,
  requestId: meta.requestId,
  workflowId: meta.workflowId ?? meta.workflowExecution?.workflowId,
  runId: meta.runId ?? meta.workflowExecution?.runId,
  workflow: meta.workflowType,
  activity: meta.activityType,
  attempt: meta.attempt,
  state: meta.state,
})

const MAX_FAILURE = 2_000

/** What the native part says of a workflow task that fails, e.g. that a history does not fit its workflow. */
const failureOf = ({ failure }: NonNullable<LogEntry['meta']>) =>
  failure === undefined ? undefined : { message: shortened(String(failure), MAX_FAILURE) }

/** Writes the SDK's log into ours. A run that failed by its caller's mistake is no incident. */
export const temporalLogger = (logger: Logger): DefaultLogger =>
  new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    const write = LEVELS[level]
    if (!logger.isLevelEnabled(write)) return
    const fields = fieldsOf(meta)
    const { mistake }: WorkflowLogAttributes = meta
    if (mistake) return logger.info({ ...fields, mistake }, message)
    logger[write]({ ...fields, err: meta.error ?? failureOf(meta) }, message)
  })

let installed: Runtime | undefined

/**
 * Prepares the native part of Temporal's SDK before the first connection. A process has one: what was prepared first
 * stays.
 *
 * @param metricsAddress host and port where the SDK serves its own metrics to Prometheus.
 */
export const installRuntime = (logger: Logger, metricsAddress?: string): Runtime => {
  installed ??= Runtime.install({
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }), forward: {} },
      ...(metricsAddress !== undefined && { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  })
  return installed
}
