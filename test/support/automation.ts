import { type Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, inject } from 'vitest'
import { type ChainDefinition, createRegistry, type Registry } from '../../core/automation/language/index.js'
import { operations } from '../../core/automation/operations/index.js'
import type { WorkflowRuns } from '../../core/automation/runs/index.js'
import { createWorkflowRuns, ensureSearchAttributes, temporalOn } from '../../engine/index.js'
import { type AutomationRuntime, createAutomationRuntime } from '../../runtime/index.js'
import { installRuntime } from '../../worker/temporal-runtime.js'
import { createTestPlatform, type TestPlatform } from './platform.js'
import { startTestWorker } from './start-worker.js'
import { uniqueName } from './template.js'

export type TestAutomation = TestPlatform & {
  runtime: AutomationRuntime
  client: Client
  runs: WorkflowRuns
  /** With the chains defined so far. */
  registry(): Registry
  /** Makes a chain callable for the tests that follow. */
  define(chain: ChainDefinition): void
}

/** A worker on a task queue of its own, and what a caller needs to start runs on it. */
export const createTestAutomation = async (environment: NodeJS.ProcessEnv = {}): Promise<TestAutomation> => {
  const address = inject('temporalAddress')
  const test = await createTestPlatform({
    TEMPORAL_ADDRESS: address,
    ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
    ...environment,
  })
  const { platform, settings } = test
  installRuntime(platform.logger)
  const chains: ChainDefinition[] = []
  const registry = (): Registry => createRegistry(operations, chains)
  const base = await createAutomationRuntime(platform)
  const runtime: AutomationRuntime = {
    ...base,
    // Where a test defines none, chains are those that are deployed.
    segments: (given, repository) =>
      base.segments(given ?? (chains.length > 0 ? registry() : undefined), repository),
  }
  const connection = await NativeConnection.connect({ address })
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const stopWorker = await startTestWorker({ connection, settings, platform, runtime })
  const clientConnection = await Connection.connect({ address })
  const { client } = temporalOn(clientConnection, platform)
  afterAll(async () => {
    await stopWorker()
    await runtime.close()
    await clientConnection.close()
    await connection.close()
  })
  const runs = createWorkflowRuns({
    client,
    taskQueue: settings.temporal.taskQueue,
    units: platform.units,
  })
  return { ...test, runtime, client, runs, registry, define: (chain) => chains.push(chain) }
}
