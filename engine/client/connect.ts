import {
  type Client,
  type ClientInterceptors,
  Connection,
  type WorkflowClientInterceptor,
} from '@temporalio/client'
import type { Settings } from '../../core/platform/settings/index.js'
import { type HealthCheck, restStorages, usingStorages } from '../../core/platform/telemetry/index.js'
import { connectionOptions } from './connection-options.js'
import { createPresence } from './presence.js'
import { type Temporal, type TemporalPlace, temporalOn } from './temporal.js'
import { isPolled } from './worker-polls.js'

export type TemporalConnection = Temporal & {
  uiUrl: string | undefined
  /** For every other client of the process. */
  interceptors: ClientInterceptors
  /** Whether Temporal answers, and whether a worker polls the task queue: without one, no chain goes on. */
  healthChecks: readonly HealthCheck[]
  close(): Promise<void>
}

/** `TASK_QUEUE_TYPE_WORKFLOW` of Temporal's API, whose enumerations the client does not export. */
const WORKFLOW_TASKS = 1

/** Timeout of a health check, milliseconds. */
const CHECK_MS = 1_500

/** Without it, a connection is tried again after two minutes at last, which is long after others are back. */
const RECONNECTING = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2_000 }

/** Imported for tracing only, as it loads the tracing SDK. */
const tracingInterceptors = async (): Promise<WorkflowClientInterceptor[]> => {
  const { OpenTelemetryWorkflowClientInterceptor } = await import('@temporalio/interceptors-opentelemetry')
  return [new OpenTelemetryWorkflowClientInterceptor()]
}

/**
 * The client of a process without a worker. It connects to Temporal on first use.
 *
 * @param calling another client that calls of chains use at the moment: what is asked is about the same connection.
 */
export const connectTemporal = async (
  place: TemporalPlace & { settings: Pick<Settings, 'temporal' | 'tracing'> },
  calling: () => Client | undefined,
): Promise<TemporalConnection> => {
  const { temporal, tracing } = place.settings
  const { namespace, taskQueue } = temporal
  const connection = Connection.lazy({ ...connectionOptions(temporal), channelArgs: RECONNECTING })
  restStorages(connection.callContextStorage)
  const ask = <Answer>(call: (service: Client['workflowService']) => Promise<Answer>): Promise<Answer> => {
    const used = calling()?.connection ?? connection
    return usingStorages(() => used.withDeadline(Date.now() + CHECK_MS, () => call(used.workflowService)))
  }
  const presence = createPresence(async () => {
    await ask((service) => service.getSystemInfo({}))
  })
  const tracers = tracing.isEnabled ? await tracingInterceptors() : []
  const interceptors = { workflow: [...tracers, ...presence.interceptors] }
  return {
    ...temporalOn(connection, place, { interceptors }),
    uiUrl: temporal.uiUrl,
    interceptors,
    healthChecks: [
      { name: 'temporal', isRequired: false, check: presence.check },
      {
        name: 'workers',
        isRequired: false,
        check: async () => {
          const { pollers } = await ask((service) =>
            service.describeTaskQueue({
              namespace,
              taskQueue: { name: taskQueue },
              taskQueueType: WORKFLOW_TASKS,
            }),
          )
          if (!isPolled(pollers, Date.now()))
            throw Object.assign(new Error('No worker polls'), { code: 'NO_WORKER' })
        },
      },
    ],
    close: () => connection.close(),
  }
}
