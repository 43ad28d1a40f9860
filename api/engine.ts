import { Client, type ClientInterceptors, Connection } from '@temporalio/client'
import {
  type HealthCheck,
  restStorages,
  type Tracing,
  usingStorages,
} from '../core/platform/telemetry/index.js'
import { type AutomationRuntime, createAutomationRuntime, type Platform } from '../runtime/index.js'
import { actingSchedules } from '../worker/index.js'
import {
  createHandovers,
  createOpenRuns,
  createRunRoom,
  createRuns,
  createRunTraces,
  createSchedules,
  type Runs,
  type Schedules,
} from './automation/index.js'
import type { CarriedWorker } from './carried-worker.js'
import { type ConversionJobs, createConversionJobs } from './conversions/index.js'

/** What the API executes with: operations in this process, everything longer on Temporal. */
export type Engine = {
  runtime: AutomationRuntime
  runs: Runs
  schedules: Schedules
  conversions: ConversionJobs
  healthCheck: HealthCheck
  /** The same engine, acting on another repository of the platform. */
  on(repository: Platform): Engine
  /** Gives this process a worker for the runs that it starts, as soon as Temporal answers. */
  carryWorker(tracing?: Tracing): void
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
  const connection = Connection.lazy({ address: temporal.address })
  restStorages(connection.callContextStorage)
  const interceptors = platform.settings.tracing.isEnabled ? await tracingInterceptors() : {}
  const client = new Client({ connection, namespace: temporal.namespace, interceptors })
  const { taskQueue } = temporal
  const ending = new AbortController()
  let carrying: Promise<CarriedWorker | undefined> | undefined
  let carried: CarriedWorker | undefined
  const handovers = createHandovers()

  const room = createRunRoom({
    most: platform.settings.openRuns,
    runs: createOpenRuns(client, taskQueue),
  })

  const runsOn = ({ units, repository }: Platform): Runs =>
    createRuns({
      client,
      eager: () => carried && { client: carried.client, handovers },
      taskQueue,
      uiUrl: temporal.uiUrl,
      units,
      repository: repository === platform.repository ? undefined : repository,
      room,
    })

  const traces = createRunTraces((repository) => {
    const asked = platform.repositories.get(repository) ?? platform
    return { runs: runsOn(asked), units: asked.units }
  })
  const runtime = await createAutomationRuntime(platform, { traces })

  /** Without it runs begin at the workers, over the queue: slower, not worse. */
  const carry = async (tracing: Tracing | undefined): Promise<CarriedWorker | undefined> => {
    try {
      // Loaded when the API serves already: the worker's SDK takes longer to load than the rest of it.
      const { carryWorker } = await import('./carried-worker.js')
      carried = await carryWorker({
        platform,
        runtime,
        interceptors,
        tracing,
        signal: ending.signal,
        onSegment: handovers.tell,
      })
      return carried
    } catch (error) {
      if (!ending.signal.aborted) platform.logger.error(error, 'the API goes on without a worker of its own')
      return undefined
    }
  }

  const engine: Engine = {
    runtime,
    runs: runsOn(platform),
    on: (other) => ({
      ...engine,
      runtime: {
        ...runtime,
        segments: (registry) => runtime.segments(registry, other.repository),
      },
      runs: runsOn(other),
    }),
    schedules: createSchedules({ client, taskQueue, deployed: () => actingSchedules(platform) }),
    conversions: createConversionJobs({ client, taskQueue }),
    healthCheck: {
      name: 'temporal',
      isRequired: false,
      check: async () => {
        await usingStorages(() =>
          connection.withDeadline(Date.now() + 1_500, () => connection.workflowService.getSystemInfo({})),
        )
      },
    },
    carryWorker: (tracing) => {
      carrying ??= carry(tracing)
    },
    close: async () => {
      ending.abort()
      await (await carrying)?.close()
      await connection.close()
      await runtime.close()
    },
  }
  return engine
}
