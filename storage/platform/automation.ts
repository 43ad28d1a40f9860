import { join } from 'node:path'
import type { OperationServices, Registry, SegmentDependencies } from '../../core/automation/index.js'
import {
  type Conversions,
  type ConverterRegistry,
  convertersPoint,
  createConversions,
  createConverterRegistry,
  createTools,
} from '../../core/conversions/index.js'
import { createExpressionEngine } from '../../core/expressions/index.js'
import type { Platform } from './platform.js'

/** What executes operations and conversions in one process, API or worker. */
export type AutomationRuntime = {
  converters: ConverterRegistry
  conversions: Conversions
  /** What a segment runs with, for a registry that is current when it begins. */
  segments(registry: Registry): SegmentDependencies
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
  const services: OperationServices = {
    blobs,
    convert: (request) => conversions.convert(request),
    log: (level, message, fields) => logger[level](fields ?? {}, message),
  }
  return {
    converters,
    conversions,
    segments: (registry) => ({ units, registry, expressions, services }),
    close: async () => {
      await conversions.close()
      expressions.dispose()
    },
  }
}
