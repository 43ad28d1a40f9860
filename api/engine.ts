import { Client, type ClientInterceptors, Connection } from '@temporalio/client'
import type { HealthCheck } from '../core/telemetry/index.js'
import { type AutomationRuntime, createAutomationRuntime, type Platform } from '../storage/platform/index.js'
import { createRuns, type Runs } from './automation/index.js'
import { type ConversionJobs, createConversionJobs } from './conversions/index.js'

/** What the API executes with: operations in this process, everything longer on Temporal. */
export type Engine = {
  runtime: AutomationRuntime
  runs: Runs
  conversions: ConversionJobs
  healthCheck: HealthCheck
  close(): Promise<void>
}

/** Loaded for traces alone: it brings the tracing SDK with it. */
const tracingInterceptors = async (): Promise<ClientInterceptors> => {
  const { OpenTelemetryWorkflowClientInterceptor } = await import('@temporalio/interceptors-opentelemetry')
  return { workflow: [new OpenTelemetryWorkflowClientInterceptor()] }
}

/** Builds the engine of an API process. Temporal is connected to when it is first needed. */
export const createEngine = async (platform: Platform): Promise<Engine> => {
  const { temporal } = platform.settings
  const runtime = await createAutomationRuntime(platform)
  const connection = Connection.lazy({ address: temporal.address })
  const interceptors = platform.settings.tracing.isEnabled ? await tracingInterceptors() : {}
  const client = new Client({ connection, namespace: temporal.namespace, interceptors })
  const { taskQueue } = temporal
  return {
    runtime,
    runs: createRuns({ client, taskQueue, uiUrl: temporal.uiUrl, units: platform.units }),
    conversions: createConversionJobs({ client, taskQueue }),
    healthCheck: {
      name: 'temporal',
      isRequired: false,
      check: async () => {
        await connection.withDeadline(Date.now() + 1_500, () => connection.workflowService.getSystemInfo({}))
      },
    },
    close: async () => {
      await connection.close()
      await runtime.close()
    },
  }
}
