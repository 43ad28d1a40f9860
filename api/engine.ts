import { Client, Connection } from '@temporalio/client'
import {
  type AutomationRuntime,
  createAutomationRuntime,
  type HealthCheck,
  type Platform,
} from '../storage/platform/index.js'
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

/** Builds the engine of an API process. Temporal is connected to when it is first needed. */
export const createEngine = async (platform: Platform): Promise<Engine> => {
  const { temporal } = platform.settings
  const runtime = await createAutomationRuntime(platform)
  const connection = Connection.lazy({ address: temporal.address })
  const client = new Client({ connection, namespace: temporal.namespace })
  const { taskQueue } = temporal
  return {
    runtime,
    runs: createRuns({ client, taskQueue, registry: runtime.chains.current, units: platform.units }),
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
