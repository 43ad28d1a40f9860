import { join } from 'node:path'
import {
  createRegistry,
  type OperationServices,
  type Registry,
  type SegmentDependencies,
} from '../../core/automation/index.js'
import {
  type Conversions,
  type ConverterRegistry,
  convertersPoint,
  createConversions,
  createConverterRegistry,
  createTools,
} from '../../core/conversions/index.js'
import { createExpressionEngine } from '../../core/expressions/index.js'
import { operations } from '../../core/operations/index.js'
import type { Platform } from './platform.js'

/** What executes operations and conversions in one process, API or worker. */
export type AutomationRuntime = {
  converters: ConverterRegistry
  conversions: Conversions
  /** The operations and the chains that are deployed at this moment. */
  registry(): Promise<Registry>
  /** What a segment runs with: a registry that is current when it begins, or the one that is given. */
  segments(registry?: Registry): Promise<SegmentDependencies>
  close(): Promise<void>
}

/** Builds the execution of a process: the sandbox, the converters, the services that operations call. */
export const createAutomationRuntime = async (platform: Platform): Promise<AutomationRuntime> => {
  const { settings, logger, blobs, units, contributions } = platform
  const tools = createTools({ path: settings.toolPath })
  const converters = createConverterRegistry(contributions.get(convertersPoint), tools)
  const conversions = createConversions({
    registry: converters,
    store: blobs,
    tools,
    tempFolder: join(settings.home, 'tmp'),
    officeInstances: settings.libreOfficeInstances,
  })
  const expressions = await createExpressionEngine()
  const fixed = createRegistry(operations, [])
  const registry = async (): Promise<Registry> => fixed
  const services: OperationServices = {
    blobs,
    convert: (request) => conversions.convert(request),
    log: (level, message, fields) => logger[level](fields ?? {}, message),
  }
  return {
    converters,
    conversions,
    registry,
    segments: async (given) => ({ units, registry: given ?? (await registry()), expressions, services }),
    close: async () => {
      await conversions.close()
      expressions.dispose()
    },
  }
}
